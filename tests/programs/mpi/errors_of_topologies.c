/* Mistakes in calls about graphs return the error class of the standard, or where it names none MPI_ERR_ARG (MPI-3.1
 * sections 7.5 and 8.4). */
#include <mpi.h>
#include <stdio.h>

static void expect(const char *what, int error, int expected)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    if (error_class == expected)
        printf("%s: as expected\n", what);
    else
        printf("%s: class %d\n", what, error_class);
}

int main(int argc, char **argv)
{
    int index[] = {1, 0}, falling[] = {2, 1}, edges[] = {0, 0}, far[] = {3, 3}, n, one = 1, minus = -1;
    MPI_Comm graph, dist;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect("no communicator", MPI_Graph_create(MPI_COMM_NULL, 1, index, edges, 0, &graph), MPI_ERR_COMM);
    expect("negative nodes", MPI_Graph_create(MPI_COMM_WORLD, -1, index, edges, 0, &graph), MPI_ERR_ARG);
    expect("too many nodes", MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph), MPI_ERR_ARG);
    expect("edge to nowhere", MPI_Graph_create(MPI_COMM_WORLD, 1, index, far, 0, &graph), MPI_ERR_ARG);
    index[0] = -1;
    expect("negative index", MPI_Graph_create(MPI_COMM_WORLD, 1, index, edges, 0, &graph), MPI_ERR_ARG);
    expect("map with a wrong graph", MPI_Graph_map(MPI_COMM_WORLD, 2, falling, edges, &n), MPI_ERR_ARG);
    expect("dims of no graph", MPI_Graphdims_get(MPI_COMM_WORLD, &n, &n), MPI_ERR_TOPOLOGY);
    index[0] = 1;
    MPI_Graph_create(MPI_COMM_WORLD, 1, index, edges, 0, &graph);
    expect("room for too few", MPI_Graph_get(graph, 0, 1, index, edges), MPI_ERR_ARG);
    expect("neighbours of nobody", MPI_Graph_neighbors_count(graph, 1, &n), MPI_ERR_RANK);
    expect("negative room", MPI_Graph_neighbors(graph, 0, -1, edges), MPI_ERR_ARG);
    expect("a grid's question", MPI_Cartdim_get(graph, &n), MPI_ERR_TOPOLOGY);
    expect("a distributed graph's question", MPI_Dist_graph_neighbors_count(graph, &n, &n, &n), MPI_ERR_TOPOLOGY);

    expect("source outside", MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &one, MPI_UNWEIGHTED, 0, NULL,
                                                           MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist), MPI_ERR_RANK);
    expect("negative degree", MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, -1, &one, MPI_UNWEIGHTED, 0, NULL,
                                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist), MPI_ERR_ARG);
    n = 0;
    expect("negative weight", MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &n, &minus, 0, NULL, MPI_WEIGHTS_EMPTY,
                                                             MPI_INFO_NULL, 0, &dist), MPI_ERR_ARG);
    expect("one side without weights", MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &n, MPI_UNWEIGHTED, 1, &n, &one,
                                                                      MPI_INFO_NULL, 0, &dist), MPI_ERR_ARG);
    expect("no info object", MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL,
                                                            MPI_UNWEIGHTED, (MPI_Info)0, 0, &dist), MPI_ERR_INFO);
    expect("destination outside", MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &n, &one, &one, MPI_UNWEIGHTED,
                                                        MPI_INFO_NULL, 0, &dist), MPI_ERR_RANK);
    expect("negative degree told", MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &n, &minus, &n, MPI_UNWEIGHTED,
                                                         MPI_INFO_NULL, 0, &dist), MPI_ERR_ARG);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &n, &one, &n, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist);
    expect("a graph's question", MPI_Graphdims_get(dist, &n, &n), MPI_ERR_TOPOLOGY);
    expect("negative room", MPI_Dist_graph_neighbors(dist, -1, edges, MPI_UNWEIGHTED, 1, edges, MPI_UNWEIGHTED),
           MPI_ERR_ARG);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&dist);
    MPI_Finalize();
    return 0;
}
