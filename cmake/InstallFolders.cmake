# Run by the installation before it copies anything: makes ${folders}, below the prefix, for everybody to read. Left to
# CMake, folders would follow the umask of who installs (CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS does, too), and with
# umask 077 only root could run what root installed. What is there already stays as it is.
foreach(folder ${folders})
  set(path "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  string(REPLACE "/" ";" parts "./${folder}")
  foreach(part ${parts})
    string(APPEND path "/${part}")
    if(NOT EXISTS "${path}")
      file(MAKE_DIRECTORY "${path}")
      file(CHMOD "${path}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endif()
  endforeach()
endforeach()
