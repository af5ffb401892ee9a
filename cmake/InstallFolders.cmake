# The installation runs this before it copies anything. It makes ${folders} below the prefix, readable by everybody.
# CMake itself makes folders with the umask of the person who installs (even CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
# follows it). With umask 077 only root could run what root installed. Folders that exist already stay as they are.
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
