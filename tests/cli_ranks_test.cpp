// backends: host
// The commands that run on several ranks: --device cpu:N.

#include <gtest/gtest.h>

#include <string>

#include "support/program.hpp"
#include "support/scratch.hpp"

namespace evenfold::testing {
namespace {

TEST(cli_ranks, write_what_one_device_writes) {
  const scratch_directory scratch;
  const std::string graph = scratch / "graph.txt";
  ASSERT_EQ(evenfold_run("generate rmat --scale 9 --edge-factor 8 " + graph).status, 0);
  const std::string weighted = scratch.write("weighted.csv",
                                             "from,to,weight\na,b,0.5\nb,c,0.25\na,c,1\nc,d,0.1\n"
                                             "d,a,3\ne,f,1\n");
  for (const std::string& command :
       {"bfs " + graph + " --source 1 --verify --parents", "pagerank " + graph,
        "pagerank " + weighted + " --weighted --dangling self",
        "sssp " + weighted + " --source a --undirected --verify",
        "spmv " + graph + " --alpha 0.3"}) {
    const auto written = [&](const std::string& device) {
      const std::string out = scratch / "out.npy";
      const outcome got = evenfold_run(command + " --device " + device + " --output " + out);
      EXPECT_EQ(got.status, 0) << command << "\n" << got.err;
      return read_back(out);
    };
    const std::string expected = written("cpu");
    for (const char* ranks : {"cpu:1", "cpu:2", "cpu:3", "cpu:5 --threads 2"}) {
      EXPECT_EQ(written(ranks), expected) << command << ", " << ranks;
    }
  }
}

TEST(cli_ranks, the_nearest_places_have_the_same_bits) {
  const scratch_directory scratch;
  const std::string command = "nearest '" EVENFOLD_SOURCE_DIR
                              "/data/capitals.csv' --group continent --name name --lat latitude "
                              "--lon longitude";
  const auto written = [&](const std::string& options) {
    const std::string out = scratch / "out.csv";
    const outcome got = evenfold_run(command + options + " --output " + out);
    EXPECT_EQ(got.status, 0) << got.err;
    return got.out + read_back(out);
  };
  for (const std::string k : {" --k 1", " --k 5"}) {
    const std::string expected = written(k);
    for (const char* ranks : {"cpu:1", "cpu:2", "cpu:3", "cpu:8 --threads 2", "cpu:300"}) {
      EXPECT_EQ(written(k + " --device " + ranks), expected) << k << ", " << ranks;
    }
  }
}

TEST(cli_ranks, what_runs_on_one_device_says_so) {
  const scratch_directory scratch;
  const std::string graph = scratch.write("graph.txt", "1 2\n2 3\n");
  const auto refused = [&](const std::string& command, const std::string& why) {
    const outcome got = evenfold_run(command + " --device cpu:2");
    EXPECT_EQ(got.status, 2);
    EXPECT_NE(got.err.find(why), std::string::npos) << got.err;
  };
  refused("kcore " + graph, "--device: this command runs on one device");
  refused("bfs " + graph + " --source 1 --levels", "--levels: this option works on one device");
  refused("bfs " + graph + " --source 1 --method scan",
          "--method: this option works on one device");
  refused("sssp " + graph + " --source 1 --parents --verify",
          "--parents: this option works on one device");
  for (const char* device :
       {"cpu:0", "cpu:", "cpu:2,3", "cpu:x", "gpu:0,0", "gpu:0,", "gpu:,", "cpu:1025", "gp"}) {
    const outcome got = evenfold_run("bfs " + graph + " --source 1 --device " + device);
    EXPECT_EQ(got.status, 2) << device;
    EXPECT_NE(got.err.find("is not a device"), std::string::npos) << got.err;
  }
}

}  // namespace
}  // namespace evenfold::testing
