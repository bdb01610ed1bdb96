// libyaml's functions (0.2), found at run time.
//
// Nothing here is linked: yaml.h lends its types, so that a wrong signature does not compile, and the functions are looked
// up in a library opened with dlopen (RuntimeLibraries). A program that reads no YAML runs without the library.
#pragma once

#include <yaml.h>

// Every function that is used, once: a column of the table, and its name.
#define CYAML_FUNCTIONS(X)         \
    X(yaml_get_version_string)     \
    X(yaml_parser_initialize)      \
    X(yaml_parser_delete)          \
    X(yaml_parser_set_input_string) \
    X(yaml_parser_set_encoding)    \
    X(yaml_parser_parse)           \
    X(yaml_event_delete)

struct CYAMLFunctions {
#define CYAML_MEMBER(name) __typeof__(name) *_Nonnull name;
    CYAML_FUNCTIONS(CYAML_MEMBER)
#undef CYAML_MEMBER
};

// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull cyaml_function_names(void) {
#define CYAML_NAME(name) #name " "
    return CYAML_FUNCTIONS(CYAML_NAME);
#undef CYAML_NAME
}
