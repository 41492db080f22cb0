#pragma once

namespace defiance {

/// Makes standard input and output pass every byte as it is: on Windows a line then ends in LF as
/// it does elsewhere. To be called before anything is read or written.
void use_plain_streams();

}  // namespace defiance
