#pragma once
// How the process is set up, and how it ends: always with one line on standard error, the status
// that is documented, and no temporary files.

#include <memory>
#include <string_view>

#include "runtime/processes.hpp"

namespace evenfold::cli {

/// Prepares the process for every way in which it can end. To be called once, first.
///
/// - The kernels of a GPU are loaded when it is opened, unless the environment says otherwise.
/// - Standard input, output and error that are closed fail when they are used; no file that is
///   opened later can take their place.
/// - A pipe that is closed and a file that grows too large are errors of `write`, not signals.
/// - SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU, where they are not ignored, end the process
///   after temporary files have been removed.
/// - std::terminate and the OpenMP runtime's fatal errors write a line `evenfold: error: ...` and
///   end with status 1.
///
/// Errors: std::bad_alloc.
void set_up_process();

/// Joins the processes of the same launch by mpirun, if there are several; to be called after
/// set_up_process(). Errors: communication_error.
void join_processes(int& argc, char**& argv);

/// The processes of the same launch, or nothing if this process works alone.
const std::shared_ptr<runtime::launched_processes>& processes();

/// Whether this process writes the reports, the outputs and the errors of all.
bool is_first_process();

/// Leaves the processes after work that has succeeded. Waits until all processes do the same.
void leave_processes();

/// Writes `evenfold: error: ` and the text as one line on standard error: newlines become blanks,
/// other control characters, and bytes that are not UTF-8, are shown as `\x1b` is. A process alone
/// allocates nothing; where standard error cannot be written, nothing happens.
///
/// If there are several processes, all are told of the failure, and the first one writes the line.
/// Another one writes it if the first has not been told within some seconds.
void write_error(std::string_view what) noexcept;

/// Writes a line about the exception that is being handled, by write_error().
///
/// Returns the exit status of this failure.
int report_failure() noexcept;

}  // namespace evenfold::cli
