# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# What a contestant's `needs` may name, and whether this machine has it: include folders, flags, libraries. Libraries
# are looked for in a toolkit first, then where the system keeps them.

# podium_yaml_text(VARIABLE TEXT), podium_yaml_list(VARIABLE TEXTS...): quoted for YAML.
function(podium_yaml_text variable text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${variable} "\"${text}\"" PARENT_SCOPE)
endfunction()

function(podium_yaml_list variable)
  set(items)
  foreach(item IN LISTS ARGN)
    podium_yaml_text(item "${item}")
    list(APPEND items "${item}")
  endforeach()
  list(JOIN items ", " items)
  set(${variable} "[${items}]" PARENT_SCOPE)
endfunction()

# podium_need(BACKEND NAME FOUND HINT [VERSION text] [COMPILE flags...] [LINK flags...])
function(podium_need backend name found hint)
  cmake_parse_arguments(PARSE_ARGV 4 arg "" "VERSION" "COMPILE;LINK")
  if(found)
    podium_yaml_text(version "${arg_VERSION}")
    podium_yaml_list(compile ${arg_COMPILE})
    podium_yaml_list(link ${arg_LINK})
    set(text "{ found: true, version: ${version}, compile: ${compile}, link: ${link} }")
  else()
    podium_yaml_text(hint "${hint}")
    set(text "{ found: false, hint: ${hint} }")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY PODIUM_NEEDS_${backend} "      ${name}: ${text}\n")
endfunction()

# podium_include_flags(VARIABLE FOLDERS...): those that the compiler does not search anyway.
function(podium_include_flags variable)
  set(flags)
  foreach(folder IN LISTS ARGN)
    if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES AND NOT folder IN_LIST podium_toolkit_includes)
      list(APPEND flags -isystem ${folder})
    endif()
  endforeach()
  set(${variable} ${flags} PARENT_SCOPE)
endfunction()

# podium_rpath(VARIABLE FOLDER [FALLBACK]): lets a plugin find libraries in FOLDER when it runs or, on another
# machine, in FALLBACK; nothing for folders that are searched anyway.
# podium_xlinker: the compiler has no -Wl.
function(podium_rpath variable folder)
  set(${variable} "" PARENT_SCOPE)
  set(path ${folder} ${ARGN})
  list(REMOVE_ITEM path ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
  list(REMOVE_DUPLICATES path)
  list(JOIN path : path)
  if(path AND podium_xlinker)
    set(${variable} -Xlinker -rpath,${path} PARENT_SCOPE)
  elseif(path)
    set(${variable} -Wl,-rpath,${path} PARENT_SCOPE)
  endif()
endfunction()

# podium_library(BACKEND NAME HEADER LIBRARY HINT): a header and a library, below podium_root or of the system;
# podium_fallback is where other machines keep the library.
function(
  podium_library
  backend
  name
  header
  library
  hint
)
  set(headers PODIUM_${backend}_${name}_HEADERS)
  set(file PODIUM_${backend}_${name}_LIBRARY)
  find_path(${headers} ${header} HINTS ${podium_root} PATH_SUFFIXES include)
  find_library(${file} ${library} HINTS ${podium_root} PATH_SUFFIXES lib64 lib)
  mark_as_advanced(${headers} ${file})
  if(NOT ${headers} OR NOT ${file})
    podium_need(${backend} ${name} OFF "${hint}")
    return()
  endif()
  cmake_path(GET ${file} PARENT_PATH folder)
  podium_include_flags(include ${${headers}})
  podium_rpath(rpath ${folder} ${podium_fallback})
  podium_need(${backend} ${name} ON "" COMPILE ${include} LINK -L${folder} -l${library} ${rpath})
endfunction()

# podium_headers(BACKEND NAME HEADER HINT [SUFFIXES...]): headers alone.
function(podium_headers backend name header hint)
  set(headers PODIUM_${backend}_${name}_HEADERS)
  find_path(${headers} ${header} HINTS ${podium_root} PATH_SUFFIXES include ${ARGN})
  mark_as_advanced(${headers})
  if(NOT ${headers})
    podium_need(${backend} ${name} OFF "${hint}")
    return()
  endif()
  podium_include_flags(include ${${headers}})
  podium_need(${backend} ${name} ON "" COMPILE ${include})
endfunction()

# podium_openmp(BACKEND PREFIX...): OpenMP of the C++ compiler; PREFIX passes its flag on.
function(podium_openmp backend)
  find_package(OpenMP QUIET COMPONENTS CXX)
  separate_arguments(flags UNIX_COMMAND "${OpenMP_CXX_FLAGS}")
  podium_need(${backend} openmp "${OpenMP_CXX_FOUND}" "the C++ compiler has no OpenMP; for clang install libomp-dev"
              COMPILE ${ARGN} ${flags} LINK ${ARGN} ${flags}
  )
endfunction()

# podium_kokkos(BACKEND ROOT HINT FLAGS...): a shared Kokkos (3.4 or later) that was built for this backend. However it
# is installed, it has its headers and libraries; few ways have the same CMake package.
function(podium_kokkos backend root hint)
  set(headers PODIUM_${backend}_kokkos_HEADERS)
  set(file PODIUM_${backend}_kokkos_LIBRARY)
  find_path(
    ${headers}
    KokkosCore_config.h
    HINTS ${root}
    PATH_SUFFIXES include include/kokkos include/trilinos kokkos trilinos
  )
  find_library(${file} NAMES kokkoscore trilinos_kokkoscore HINTS ${root} PATH_SUFFIXES lib64 lib)
  mark_as_advanced(${headers} ${file})
  set(built_for)
  if(${headers} AND ${file})
    file(READ ${${headers}}/KokkosCore_config.h configuration)
    set(built_for host)
    foreach(one IN LISTS podium_backends)
      string(TOUPPER ${one} name)
      if(configuration MATCHES "#define KOKKOS_ENABLE_${name}\n")
        set(built_for ${one})
      endif()
    endforeach()
  endif()
  if(NOT built_for STREQUAL backend)
    podium_need(${backend} kokkos OFF "${hint}")
    return()
  endif()
  string(REGEX MATCH "define KOKKOS_VERSION +([0-9]+)" ignored "${configuration}")
  set(version ${CMAKE_MATCH_1})
  set(flags ${ARGN})
  if(backend STREQUAL host AND configuration MATCHES "#define KOKKOS_ENABLE_OPENMP\n")
    list(APPEND flags -fopenmp)
  endif()
  cmake_path(GET ${file} PARENT_PATH folder)
  podium_include_flags(include ${${headers}})
  podium_rpath(rpath ${folder})
  podium_need(${backend} kokkos ON "" VERSION "${version}" COMPILE ${flags} ${include} LINK ${${file}} ${rpath} -ldl)
endfunction()

# podium_interpreter(BACKEND): what runs contestants in Python; Podium asks it for its version when it is used.
function(podium_interpreter backend)
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/compiler python
    OUTPUT_VARIABLE python
    ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  podium_need(${backend} python "${python}" "run scripts/setup --python and cmake again, or set PODIUM_PYTHON"
              COMPILE ${python}
  )
endfunction()

# podium_python(BACKEND NAME MODULE): a compiler of Python kernels; its COMPILE is the interpreter that has it.
function(podium_python backend name module)
  set(python ${PODIUM_PYTHON_${name}})
  if(NOT python OR NOT EXISTS ${python})
    execute_process(
      COMMAND ${PROJECT_SOURCE_DIR}/scripts/compiler ${name}
      OUTPUT_VARIABLE python
      ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    set(PODIUM_PYTHON_${name} "${python}" CACHE FILEPATH "Chosen by scripts/compiler ${name}" FORCE)
  endif()
  if(NOT python)
    podium_need(${backend} ${name} OFF "run scripts/setup --${name}, then cmake again")
    return()
  endif()
  execute_process(
    COMMAND ${python} -E -s -c "import ${module}; print(${module}.__version__)"
    OUTPUT_VARIABLE version
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  podium_need(${backend} ${name} ON "" VERSION "${version}" COMPILE ${python})
endfunction()
