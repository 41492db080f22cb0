// The one translation unit per build that holds Catch2 itself; it is slow to compile.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
