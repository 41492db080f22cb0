// Stands in for src/base/processor.cpp, in the namespace that it has in an engine, and reports a
// processor without any instruction that is asked for.

#define defiance defiance_any_processor
#include <defiance/base/processor.hpp>

namespace defiance {

Processor detect_processor() {
    return {};
}

}  // namespace defiance
