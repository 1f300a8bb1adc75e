"""The command lines that run.py runs. @NAME is an input: of inputs.py, of data/ or of tests/fuzz/."""

import itertools
import pathlib


def crossed(*parts):
    """Every combination of one text from each list, joined by blanks."""
    lists = [[part] if isinstance(part, str) else part for part in parts]
    return (" ".join(filter(None, choice)) for choice in itertools.product(*lists))


def tables():
    sizes = ["@empty_rows.csv", "@one.csv", "@small.csv", "@large.csv", "@ties.csv", "@packed.csv.gz"]
    yield from crossed("sort", sizes, "--by",
                       ["g", "x:desc", "t,id:desc", "long", "big:desc,x,g", "w", "g,x,t,big,long"])
    yield from crossed("sort @larger.csv --by", ["id", "g:desc", "long:desc,t"], "--output out.csv")
    yield from crossed("unique", sizes, "--by", ["g", "x,t", "long", "big,g", "id"],
                       ["", "--count --output out.csv"])
    yield from crossed("filter", sizes, ["--where g>=0", "--where x=1 --where 't!=\"a b\"'",
                                         "--where 'long<\"the same b\"'", "--where big>0 --where w<1",
                                         "--where id<0", "--where 't<=\"a\"' --output out.csv",
                                         "--where 'not (x>1 or t is null) and w!=1'",
                                         "--where 'x>=w or big<x and g in (1,-2,3)'",
                                         "--where 't !~ \"b$\" and id not between 2 and 9'"])
    yield from crossed("group", sizes, "--by", ["g", "t,x:desc --order appearance", "long,big", "id"], "--agg",
                       ["'count(),count(x),sum(g),mean(x),stddev(x)' --output out.csv",
                        "'min(t),max(x),first(long),last(g),median(g),p99.5(x),max(big)'"])
    yield from crossed("top", sizes, "--by", ["x:desc", "t,g", "long -k 1"], ["", "--per g -k 3", "--per t:desc"])
    yield "top @large.csv --by x -k 0 --output out.csv"
    yield from crossed("select", sizes, "--columns", ["g", "x-t,g", "w,w"])
    hows = [f"--how {how}" for how in ["inner", "left", "right", "full", "semi", "anti"]]
    pairs = ["@empty_rows.csv @small.csv", "@small.csv @empty_rows.csv", "@one.csv @one.csv",
             "@empty_rows.csv @empty_rows.csv", "@small.csv @other.csv", "@other.csv @small.csv"]
    yield from crossed("join", pairs, hows, "--on", ["g", "x,t", "long", "g=big,t"])
    yield from crossed("join @large.csv @larger.csv", hows, "--on", ["id", "g,x", "long,t,g", "g=id"])
    yield from crossed("join @ties.csv @other.csv --count", hows, "--on", ["g", "t", "big,x"])
    yield from crossed("join @small.csv @small.csv --on g,t --output out.csv", hows)
    needles = ["@small.csv @sorted.csv --on g", "@other.csv @sorted.csv --on id=n",
               "@empty_rows.csv @sorted.csv --on g", "@needles.csv @long_sorted.csv --on v",
               "@long_sorted.csv @long_sorted.csv --on v", "@sorted.csv @empty_rows.csv --on g",
               "@small.csv @small.csv --on g"]
    yield from crossed("search", needles, ["", "--output out.csv"])
    plain = "@semicolons.csv --header no --delimiter ';' --null a"
    yield from crossed(["sort --by 2,4:desc", "unique --by 4 --count", "filter --where '3>=\"a\"'",
                        "join @semicolons.csv --on 2=1 --how full", "search @semicolons.csv --on 2=1"],
                       plain)
    bad = ["@nothing.csv", "@header_alone.csv", "@nulls.csv", "@ragged.csv", "@unclosed.csv",
           "@no_such_file.csv"]
    yield from crossed(["sort --by a", "unique --by b", "filter --where a>0", "group --by a --agg 'sum(b)'",
                        "top --by b --per a", "select --columns b,a",
                        "join @nulls.csv --on a --how left", "search @header_alone.csv --on a"], bad)
    yield from crossed(["sort --by", "unique --by"], ["continent", "latitude:desc", "name,country"],
                       "@capitals.csv")


def numbers():
    kinds = ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
    ops = ["max", "min", "sum", "product", "mean", "argmax", "argmin"]
    shapes = ["small", "long", "wide", "square"]
    op_axis = [f"--op {op} --axis {axis}" for op in ops for axis in ["all", "rows", "columns"]]
    # Each type with each operation, and each shape with each axis.
    for (kind, op), shape in zip(itertools.product(kinds, op_axis), itertools.cycle(shapes + ["small"])):
        yield f"aggregate @{kind}_{shape}.npy {op} --format json --output out.npy"
    files = ["@signs.npy", "@i4_columns.npy", "@f4_columns.npy", "@f8_columns.npy", "@line_f8.npy", "@line_i4.npy"]
    yield from crossed("aggregate", files, op_axis, "--output out.csv")
    odd = ["@special.npy", "@no_rows.npy", "@no_columns.npy", "@overflow.npy", "@cut.npy",
           "@array.mtx", "@big_endian.npy", "@capitals.csv"]
    yield from crossed("aggregate", odd, ["--op max", "--op sum --axis rows", "--op argmin",
                                          "--op mean --axis columns"], "--format csv")
    yield from crossed("aggregate @numbers.csv --column", ["x", "n"], [f"--op {op}" for op in ops])

    folds = ["@i4_small.npy", "@ones_i8.npy", "@line_i4.npy", "@f4_long.npy", "@line_f8.npy",
             "@no_rows.npy", "@overflow.npy", "@numbers.csv --column n"]
    yield from crossed("fold", folds, ["", "--op max", "--op min --format json", "--op product"],
                       ["", "--strategy array_folding --check", "--strategy tournament"])
    yield "fold @i4_small.npy --op sum,max,min --strategy tournament --trace"
    yield from crossed("fold @ones_i8.npy --trace --strategy", ["array_folding", "tournament"],
                       ["--format json", "--format csv", ""])
    for kind in kinds:
        yield f"dot @{kind}_square.npy @{kind}_square.npy --format json"
        yield f"saxpy -2.5 @{kind}_wide.npy @{kind}_wide.npy --output out.npy --format csv"
    yield from crossed(["dot", "saxpy 3 --output out.npy"],
                       ["@i4_square.npy @f8_square.npy", "@f8_square.npy @f8_columns.npy",
                        "@no_rows.npy @no_rows.npy", "@numbers.csv @numbers.csv --column x,n",
                        "@f8_small.npy @f8_long.npy", "@special.npy @special.npy"])

    counted = ["@f8_square.npy", "@f4_long.npy", "@i4_wide.npy", "@u1_long.npy", "@special.npy",
               "@no_rows.npy", "@numbers.csv --column n", "@numbers.csv --column x --weights x"]
    yield from crossed("histogram", counted,
                       ["", "--bins 1", "--bins 7 --range 0:2", "--bins 3000 --range -50:50 --closed",
                        "--edges 0,0.5,1,2,1000", "--bins 5 --range 0:4 --round --plot out.png",
                        "--bins 100000"], ["--format json"])
    grids = ["--rows 1 --cols 1", "--rows 2 --columns 9", "--rows 30 --cols 50",
             "--rows 200 --cols 7 --left 2.5 --right -1 --bottom 3 --initial 0.5 --top 100",
             "--input @f8_square.npy", "--input @f4_square.npy", "--input @i4_columns.npy --top 3"]
    yield from crossed("jacobi", grids, ["--tolerance 1e-2", "--tolerance 0 --max-sweeps 37"],
                       "--output out.npy --plot out.png --format json")
    many = ["--count 100003", "--rows 130 --cols 77"]
    yield from crossed("generate", [f"{kind} --count 9" for kind in ["normal", "uniform"]] +
                       [f"{kind} --scale 3" for kind in ["rmat", "kronecker"]] +
                       ["uniform-graph --vertices 7 --edges 5", "grid --rows 3 --columns 2"],
                       "out.csv --format", ["json", "csv"])
    yield from crossed("generate normal", many, ["--type float32 --mean 3", "--deviation 2 --seed 9"],
                       ["out.npy", "out.csv"])
    yield from crossed("generate uniform", many,
                       ["--type int64 --low -9 --high 1e6", "--type float32", "--seed 3"],
                       ["out.npy", "out.mtx"])


def sparse():
    directions = ["", "--directed", "--undirected"]
    choices = ["--columns 1,2", "--columns 2,1 --directed", "--duplicates keep", "--duplicates sum"]
    graphs = ["@graph.txt", "@weighted.csv", "@symmetric.mtx", "@pattern.mtx", "@path.txt", "@star.txt",
              "@loops.txt", "@no_edges.txt", "@karate.mtx", "@eight_pages.mtx"]
    rows = ["@real.mtx", "@integer.mtx", "@doubled.mtx", "@no_entries.mtx", "@no_rows.mtx", "@rows.npz",
            "@outside.mtx"]
    yield from crossed("info", graphs, directions, "--format json")
    by_name = ["@graph.txt --columns 2,1", "@weighted.csv --columns target,source,weight",
               "@named.csv", "@named.csv --columns source,source"]
    yield from crossed("info", by_name)
    yield from crossed(["info", "bfs --source 1", "sssp --source 1", "components", "mst",
                        "pagerank --max-iterations 3", "triangles", "kcore", "betweenness", "spmv", "spgemm"],
                       "@weighted.csv --null 7 --format json")
    yield "convert @weighted.csv out.mtx --null 7"
    yield from crossed(["bfs --source 7", "pagerank --weighted --max-iterations 3"],
                       ["@graph.txt", "@doubled.mtx", "@karate.mtx"], choices, "--format json")
    yield from crossed("info", rows, ["--plot out.png", "--plot out.svg --format csv"])
    sources = ["--source 1", "--source 1,3,9"]
    yield from crossed("bfs", graphs, sources, [f"--method {m}" for m in
                                                ["scan", "frontier", "bitmap", "direction"]],
                       "--levels --parents --verify --format json --output", ["out.csv"])
    yield from crossed("bfs", graphs, "--source 1 --undirected --repeat 2 --format json",
                       ["--output out.npy --parents"])
    yield from crossed("bfs", ["@named.csv --source p7 --format json",
                               "@graph.txt --source 9999999 --format json"])
    weights = ["@weighted.csv", "@named.csv --columns source,target", "@real.mtx", "@eight_pages.mtx",
               "@path.txt", "@star.txt --undirected", "@loops.txt", "@karate.mtx", "@many_edges.txt"]
    yield from crossed("sssp", weights, ["--source 1", "--source 1,3"],
                       "--parents --verify --format json --output out.csv")
    yield from crossed("sssp @many_edges.txt --source 5 --format json",
                       ["--delta 0.01 --output out.npy", "--undirected --duplicates keep --repeat 2"])
    yield from crossed("sssp", ["@graph.txt --source 9999999", "@wide.mtx --source 5 --trust-sizes",
                                "@graph.txt --source 7 --parents", "@negative.csv --source a"],
                       "--format json")
    yield from crossed("components", graphs, ["--verify --output out.csv", "--output out.npy --top 3",
                                              "--strong --verify --output out.csv"],
                       "--format json")
    yield from crossed("components", ["@named.csv --top 0", "@named.csv --undirected",
                                      "@wide.mtx --trust-sizes", "@no_rows.mtx"], "--format json")
    still = "--tolerance 0 --max-iterations 4 --format json"
    # The ranks of a star converge at once; only rounding errors remain.
    links = [graph for graph in graphs if graph != "@star.txt"]
    yield from crossed("pagerank", links, still, ["--output out.csv", "--output out.npy --weighted",
                                                   "--damping 0.5 --dangling self --top 5",
                                                   "--dangling lose --undirected --stop max"])
    yield from crossed("pagerank @graph.txt --personalize @jumps.csv", still,
                       ["--dangling even --verify --null 1", "--dangling personalize"])
    yield from crossed("pagerank --verify --format json", ["@karate.mtx", "@weighted.csv --weighted --stop max"])
    yield from crossed("mst", [*weights, "@negative.csv", "@wide.mtx --trust-sizes"],
                       "--verify --format json --output out.csv")
    yield from crossed("triangles", graphs, directions, "--clustering --verify --format json --output out.csv")
    yield from crossed("kcore", graphs, directions[:2], "--verify --format json",
                       ["--output out.csv", "--output out.npy"])
    yield from crossed("betweenness", graphs, "--format json", ["--output out.csv --samples 9 --seed 3",
                                                                "--undirected --normalized --samples 4 "
                                                                "--top 3 --verify --output out.npy"])
    twice = ["", "--duplicates sum", "--duplicates first"]
    yield from crossed("convert", [*graphs, *rows], ["out.mtx", "out.npz"], twice)
    yield from crossed("convert", by_name, ["out.mtx", "out.csv --names names.csv"])
    yield from crossed("spmv", by_name, "--format json")
    yield from crossed(["info @wide.mtx", "bfs @wide.mtx --source 5 --output out.npy --format json",
                        "convert @wide.mtx out.npz", "spmv @wide.mtx --format json"],
                       ["", "--trust-sizes"])
    yield "pagerank @karate.mtx --trust-sizes --max-iterations 4 --format json"
    yield from crossed("convert", graphs, ["out.txt --names names.csv --format json", "out.csv"],
                       ["", "--symmetrize --drop-self-loops --duplicates first", "--pattern"])
    yield from crossed("convert", ["@symmetric.mtx", "@karate.mtx"], "--general out.mtx")
    yield from crossed("spmv", rows + graphs[2:4], ["", "--transpose --alpha -2.5", *twice[1:]],
                       "--repeat 2 --format json", ["--output out.npy", "--output out.mtx"])
    yield from crossed("spmv @real.mtx --format json --output out.csv",
                       ["--x @x900.npy", "--x @x2000.npy --transpose", "--x @x2000.npy",
                        "--x @x900.npy --y @x2000.npy --beta 0.5"])
    yield from crossed("spgemm @symmetric.mtx --format json",
                       ["--output out.mtx", "--output out.npz", "--output out.csv", "--by @pattern.mtx",
                        "--by @symmetric.mtx"])
    yield from crossed("spgemm", ["@graph.txt", "@doubled.mtx", "@karate.mtx", "@real.mtx"], "--format json",
                       choices[2:])
    for kind in ["rmat --quarters 0.6,0.2,0.1", "rmat", "kronecker"]:
        yield from crossed("generate", kind, ["--scale 0", "--scale 10 --edge-factor 7.5 --seed 4"],
                           ["out.mtx", "out.csv"])
    yield from crossed("generate uniform-graph --vertices 100 --seed 5 --edges", ["0", "5000"], "out.txt")
    yield from crossed("generate grid --rows", ["1", "30"], "--columns 7 out.mtx")


def places():
    where = "--group group --name name --lat lat --lon lon"
    yield from crossed("nearest", ["@places.csv", "@same_places.csv", "@no_places.csv"], where,
                       ["", "--k 1 --unit km", "--k 7 --per-group 3"],
                       ["--format json --output out.csv", "--plot out.png"])
    yield ("nearest @capitals.csv --group continent --name name --lat latitude --lon longitude "
           "--plot out.svg --format csv")


def folds():
    """Folds of so many numbers that threads share them, whose digits show in which order they were made."""
    matrices = ["@scaled_f4_130x1009.npy", "@scaled_f8_1013x127.npy", "@scaled_f8_3x40009.npy"]
    yield from crossed("aggregate", matrices, [f"--op {op}" for op in ["sum", "mean"]],
                       [f"--axis {axis}" for axis in ["all", "rows", "columns"]], "--output out.npy")
    yield from crossed("aggregate", ["@factors.npy", "@scaled.csv --column x"],
                       ["--op product", "--op mean"])
    yield from crossed("fold", [matrices[1], "@factors.npy --op product"],
                       ["", "--strategy array_folding", "--strategy tournament"])
    yield from (f"dot {file} {file} --format json" for file in matrices)
    yield from crossed("histogram @scaled.csv --column n --weights x --format json",
                       ["--bins 11", "--bins 90", "--bins 5000"])
    yield from crossed("jacobi --tolerance 1e-9 --max-sweeps 9 --output out.npy --format json",
                       [f"--input {matrices[1]}", "--rows 70 --cols 2500 --left 0.1"])
    yield from crossed("spmv @scaled.mtx --format json --output out.npy",
                       ["", "--x @scaled_x700.npy --alpha 0.3", "--transpose"])
    yield from crossed("pagerank @many_edges.txt --tolerance 0 --max-iterations 5 --format json",
                       ["", "--weighted", "--dangling self", "--dangling lose --stop max"],
                       "--output out.npy")
    yield "info @many_edges.txt --format json"
    yield ("nearest @places.csv --group group --name name --lat lat --lon lon --k 5 --unit km "
           "--output out.csv --plot out.svg")


def headers():
    """Files whose first line has names, numbers or both."""
    when = ["--header yes", "--header no", "--header auto"]
    keyed = [["sort --by", "unique --by", "join @years.csv --on", "search @years.csv --on"], ["1", "2020"]]
    yield from crossed(*keyed, "@years.csv", when)
    commands = ["filter --where 2>1", "aggregate --op max", "fold", "histogram", "dot @years.csv",
                "jacobi --tolerance 1 --output out.npy --input", "saxpy 2 --output out.npy @years.csv",
                "nearest --group 1 --name 2 --lat 3 --lon 3"]
    yield from crossed(commands, ["@years.csv", "@capitals.csv", "@numbers.csv"], when)
    yield from crossed(["info", "bfs --source 2019", "convert", "pagerank --max-iterations 2", "spmv"],
                       ["@years.csv", "@weighted.csv", "@named.csv", "@graph.txt"], ["out.mtx"], when)
    form = "--no-header --delimiter ;"
    yield from crossed(["sort --by 2", "unique --by 2", "filter --where 2>1", "search @semicolons.csv --on 1",
                        "join @semicolons.csv --on 1", "group --by 1 --agg count()", "top --by 1 -k 2",
                        "select --columns 1", "nearest --group 4 --name 4 --lat 2 --lon 2 --null ''",
                        "aggregate --op sum,max --column 2 --null ''", "fold --column 2 --null ''",
                        "histogram --column 2 --null ''", "dot @semicolons.csv --column 1",
                        "saxpy 2 --output out.npy.gz @semicolons.csv --column 1", "info --columns 1,1",
                        "spmv --columns 1,1 --format json",
                        "bfs --source 1 --columns 1,1 --format json",
                        "pagerank --columns 1,1 --format json", "jacobi --tolerance 1 --output - --input"],
                       "@semicolons.csv", form)
    yield f"convert @semicolons.csv - --columns 1,1 {form}"
    yield from crossed(["dot @numbers.csv --column x,n", "saxpy 2 --output out.npy @numbers.csv",
                        "jacobi --tolerance 1 --output out.npy --input"], "@numbers.csv --format json",
                       ["--null 7", "--null ''"])


def forms_of_files():
    """The options about the form of a file, with the commands that no other case gives them to."""
    yield from crossed(["group --by 1 --agg count()", "top --by 1 -k 2", "select --columns 1"],
                       "@semicolons.csv --delimiter ';' --null a --output out.csv",
                       ["--header no", "--header yes"])
    yield from crossed(["sssp --source 7 --directed", "components --directed", "triangles",
                        "kcore --undirected", "betweenness --directed", "mst --directed", "spgemm"],
                       ["@graph.txt --columns 2,1 --duplicates first --trust-sizes",
                        "@weighted.csv --header yes --delimiter ,", "@weighted.csv --no-header"],
                       "--format json")


# The names of the files of the fuzzers, by which commands recognise their format.
CORPUS_ENDINGS = ["csv", "csv.gz", "txt", "mtx", "npy", "npz"]


def malformed(corpus):
    """Every input of the fuzzers, with the commands that read such files."""
    kinds = {
        "csv": ("csv", ["sort --by 1 --header no", "unique --by 1 --header no", "aggregate --op max",
                        "filter --where 1>0 --header no", "histogram"]),
        "gunzip": ("csv.gz", ["sort --by 1 --header no", "fold"]),
        "edge_list": ("txt", ["info --format json", "bfs --source 1 --format json", "convert out.txt"]),
        "matrix_market": ("mtx", ["info --format json", "spmv --format json --output out.npy",
                                  "convert out.npz"]),
        "matrix_market_array": ("mtx", ["aggregate --op sum --axis rows", "fold"]),
        "npy": ("npy", ["aggregate --op max --axis columns", "fold --op min", "histogram"]),
        "npz": ("npz", ["info --format json", "spmv --format json --output out.npy", "convert out.mtx"]),
    }
    for kind, (ending, commands) in kinds.items():
        for file in sorted((corpus / kind).iterdir()):
            # The name of an edge list states whether it is CSV.
            real_ending = "csv" if file.name.startswith("csv_") else ending
            for command in commands:
                name, *options = command.split(" ")
                yield " ".join([name, f"@{kind}/{file.name}.{real_ending}", *options])


def refused():
    yield from crossed("group @small.csv --by g --agg", ["x", "'sum(t)'", "'mode(x)'", "'sum(y)'", "'p200(x)'"])
    yield from ["group @small.csv --by g --agg 'sum(x' ", "top @small.csv --by nothing",
                "top @small.csv --by g -k -1", "select @small.csv --columns t-g"]
    yield from ["sort", "sort @small.csv", "sort @small.csv --by nothing",
                "join @small.csv @other.csv --on g --how cross", "aggregate @i4_small.npy --op median",
                "histogram @f8_small.npy --bins 0", "histogram @f8_small.npy --edges 2,1",
                "fold @i4_small.npy --strategy guess", "generate", "generate normal out.npy",
                "spmv @real.mtx --x @x2000.npy", "bfs @graph.txt", "nearest @places.csv",
                "sort @small.csv --by g --output no_such_folder/out.csv"]


def all_cases(corpus):
    return [*tables(), *numbers(), *sparse(), *places(), *folds(), *headers(), *forms_of_files(),
            *malformed(corpus), *refused(),
            "devices --format json"]
