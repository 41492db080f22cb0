// Compiled with POPCNT even in 32 bits, so that a test that looks for it has something to find.

int count_bits(unsigned set);

int count_bits(unsigned set) {
    return __builtin_popcount(set);
}
