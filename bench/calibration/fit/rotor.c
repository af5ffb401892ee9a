/* Rotation of a rigid body: quaternions in single precision, one step after the other. */
enum { STEPS = 3000 };
typedef struct Quaternion {
    float w, x, y, z;
} Quaternion;

static Quaternion times(Quaternion a, Quaternion b)
{
    return (Quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

double kernel(void)
{
    Quaternion q = {1, 0, 0, 0}, spin = {1, 0.001f, 0.002f, 0.0005f};
    for (int i = 0; i < STEPS; i++) {
        q = times(q, spin);
        float square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        float scale = 1.5f - 0.5f * square;
        q = (Quaternion){q.w * scale, q.x * scale, q.y * scale, q.z * scale};
    }
    return q.x;
}
