# The page of the position database, in the folder src/tools/posdb/page, becomes a part of the program:
# each file an array of bytes.
file(GLOB page_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/tools/posdb/page/*)
set(page_arrays "")
foreach(file IN LISTS page_files)
    get_filename_component(name ${file} NAME)
    set(array ${CMAKE_BINARY_DIR}/generated/posdb_page/${name}.inc)
    add_custom_command(OUTPUT ${array}
        COMMAND ${CMAKE_COMMAND} -DIN=${file} -DOUT=${array} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
    list(APPEND page_arrays ${array})
endforeach()
target_sources(defiance_support PRIVATE ${page_arrays})
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/tools/posdb/page.cpp APPEND PROPERTY
    OBJECT_DEPENDS "${page_arrays}")
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/tools/posdb/page.cpp APPEND PROPERTY
    INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/generated/posdb_page)
