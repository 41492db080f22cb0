# cmake -DIN=file -DOUT=file.inc -P embed.cmake: the bytes of a file as a list of C++ numbers.
file(READ ${IN} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes
    "${bytes}")
file(WRITE ${OUT} "${bytes}\n")
