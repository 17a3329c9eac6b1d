# plumb_library(NAME SOURCES … LINKS …): one stage of the pipeline, with warnings as errors and its links spelled out.
add_library(plumb_options INTERFACE)
target_include_directories(plumb_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(plumb_options INTERFACE -Wall -Wextra -Wconversion -Werror -ffp-contract=off
  # g++ 12 sees overlap where std::string inlines operator+ (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

function(plumb_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINKS} PRIVATE plumb_options)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()
