/* MPI without mpi.h. */
/* options:  */
int main(void) { MPI_Cart_create(0); MPI_Scater(0); MPI_Status s; return MPI_COMM_WORLD; }
