struct node { int value; struct node *next; };
static int last(struct node *list)
{
    while (list->value != 3)
        list = list->next;
    return list->value;
}
int main(void)
{
    struct node b = {2, 
                       ((void *)0)
                           }, a = {1, &b};
    printf("looking\n");
    return last(&a);
}
