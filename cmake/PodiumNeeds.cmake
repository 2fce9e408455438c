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

# podium_rpath(VARIABLE BACKEND FOLDER [FALLBACK]): lets a plugin find libraries in FOLDER when it runs or, on another
# machine, in FALLBACK; nothing for folders that are searched anyway.
function(podium_rpath variable backend folder)
  set(${variable} "" PARENT_SCOPE)
  set(path ${folder} ${ARGN})
  list(REMOVE_ITEM path ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
  list(REMOVE_DUPLICATES path)
  list(JOIN path : path)
  if(path AND backend STREQUAL cuda)
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
  podium_rpath(rpath ${backend} ${folder} ${podium_fallback})
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
    if(configuration MATCHES "#define KOKKOS_ENABLE_CUDA\n")
      set(built_for cuda)
    elseif(configuration MATCHES "#define KOKKOS_ENABLE_HIP\n")
      set(built_for hip)
    endif()
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
  podium_rpath(rpath ${backend} ${folder})
  podium_need(${backend} kokkos ON "" VERSION "${version}" COMPILE ${flags} ${include} LINK ${${file}} ${rpath} -ldl)
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

function(podium_host_needs)
  set(podium_root)
  set(podium_fallback)
  podium_openmp(host)
  podium_library(host tbb tbb/parallel_for.h tbb "install libtbb-dev")
  podium_library(host openblas cblas.h openblas "install libopenblas-dev")
  podium_kokkos(host "${Kokkos_ROOT};$ENV{Kokkos_ROOT}"
                "install libtrilinos-kokkos-dev, or set Kokkos_ROOT to the prefix of a shared Kokkos"
  )
endfunction()

# Kernels that launch kernels: relocatable device code, and the library of its runtime.
function(podium_cudadevrt hint)
  find_library(PODIUM_cuda_cudadevrt_LIBRARY cudadevrt HINTS ${podium_root} PATH_SUFFIXES lib64 lib)
  mark_as_advanced(PODIUM_cuda_cudadevrt_LIBRARY)
  if(NOT PODIUM_cuda_cudadevrt_LIBRARY)
    podium_need(cuda cudadevrt OFF "${hint}")
    return()
  endif()
  cmake_path(GET PODIUM_cuda_cudadevrt_LIBRARY PARENT_PATH folder)
  podium_need(cuda cudadevrt ON "" COMPILE -rdc=true LINK -rdc=true -L${folder} -lcudadevrt)
endfunction()

function(podium_cuda_needs)
  set(PODIUM_KOKKOS_CUDA "" CACHE PATH "Prefix of a Kokkos that was built with CUDA")
  set(PODIUM_CUTLASS "" CACHE PATH "Folder of CUTLASS: holds include/cutlass")
  set(podium_root ${CUDAToolkit_ROOT})
  set(podium_toolkit_includes ${podium_root}/include ${podium_root}/include/cccl) # nvcc's own
  set(podium_fallback /usr/local/cuda/lib64)
  set(wheels "run scripts/setup --cuda, or install NVIDIA's package")
  podium_library(cuda cublas cublas_v2.h cublas "${wheels} libcublas-dev")
  podium_library(cuda cublaslt cublasLt.h cublasLt "${wheels} libcublas-dev")
  podium_library(cuda blaslt cublasLt.h cublasLt "${wheels} libcublas-dev")
  podium_library(cuda cusparse cusparse.h cusparse "${wheels} libcusparse-dev")
  podium_library(cuda cusolver cusolverDn.h cusolver "${wheels} libcusolver-dev")
  podium_cudadevrt("${wheels} cuda-cudart-dev")
  podium_library(cuda cudnn cudnn.h cudnn "install NVIDIA's package cudnn, or pip's nvidia-cudnn-cu13")
  podium_headers(cuda cub cub/cub.cuh "${wheels} cuda-cccl" include/cccl)
  set(podium_root ${PODIUM_CUTLASS} $ENV{CUTLASS_PATH})
  podium_headers(cuda cutlass cutlass/cutlass.h "set PODIUM_CUTLASS to a checkout of NVIDIA's CUTLASS 4")
  podium_openmp(cuda -Xcompiler)
  podium_kokkos(cuda "${PODIUM_KOKKOS_CUDA}" "set PODIUM_KOKKOS_CUDA to the prefix of a shared Kokkos with its CUDA backend"
                --extended-lambda
  )
  podium_python(cuda triton triton)
  podium_python(cuda cutile cuda.tile)
endfunction()

function(podium_hip_needs)
  set(PODIUM_KOKKOS_HIP "" CACHE PATH "Prefix of a Kokkos that was built with HIP")
  podium_python(hip triton triton)
  set(podium_root ${PODIUM_ROCM})
  set(podium_toolkit_includes ${podium_root}/include) # hipcc's own
  set(podium_fallback /opt/rocm/lib)
  set(packages "install AMD's package")
  podium_library(hip hipblas hipblas/hipblas.h hipblas "${packages} hipblas-dev")
  podium_library(hip hipblaslt hipblaslt/hipblaslt.h hipblaslt "${packages} hipblaslt-dev")
  podium_library(hip blaslt hipblaslt/hipblaslt.h hipblaslt "${packages} hipblaslt-dev")
  podium_library(hip rocblas rocblas/rocblas.h rocblas "${packages} rocblas-dev")
  podium_library(hip miopen miopen/miopen.h MIOpen "${packages} miopen-hip-dev")
  podium_library(hip hipsolver hipsolver/hipsolver.h hipsolver "${packages} hipsolver-dev")
  podium_library(hip hipsparse hipsparse/hipsparse.h hipsparse "${packages} hipsparse-dev")
  podium_library(hip rccl rccl/rccl.h rccl "${packages} rccl-dev")
  podium_library(hip hiprtc hip/hiprtc.h hiprtc "${packages} hip-dev")
  podium_headers(hip rocprim rocprim/rocprim.hpp "${packages} rocprim-dev")
  podium_headers(hip hipcub hipcub/hipcub.hpp "${packages} hipcub-dev")
  podium_openmp(hip)
  podium_kokkos(hip "${PODIUM_KOKKOS_HIP}" "set PODIUM_KOKKOS_HIP to the prefix of a shared Kokkos with its HIP backend")
endfunction()

# Contestants are compiled by nvcc there: of what they may need elsewhere, only OpenMP.
function(podium_hip_on_nvidia_needs)
  foreach(
    name
    IN
    ITEMS triton hipblas hipblaslt blaslt rocblas miopen hipsolver hipsparse rccl hiprtc rocprim hipcub kokkos
  )
    podium_need(hip ${name} OFF "it is not for HIP's NVIDIA platform; take a device of the backend cuda")
  endforeach()
  podium_openmp(hip)
endfunction()
