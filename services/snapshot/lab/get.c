/*
 * Reads one process variable: get NAME [TIMEOUT_S]. It does what caget of EPICS does, over the same library: searches the
 * variable where EPICS_CA_ADDR_LIST says, connects, reads it once, and ends. It prints a JSON object; exit code 1 and a line
 * on standard error where there is no value in time.
 */

#include <cadef.h>
#include <epicsTime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *const SEVERITIES[] = {"none", "minor", "major", "invalid"};

static void print_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') printf("\\%c", *text);
        else if ((unsigned char)*text < ' ') printf("\\u%04x", *text);
        else putchar(*text);
    }
    putchar('"');
}

/* 17 and 9 digits are what it takes to read the same number again. JSON has none for what is not finite. */
static void print_number(double number, int digits)
{
    if (isfinite(number)) printf("%.*g", digits, number);
    else printf("null");
}

static void print_element(chtype type, const void *values, unsigned long at)
{
    switch (type) {
    case DBR_STRING: print_text(((const dbr_string_t *)values)[at]); break;
    case DBR_SHORT: printf("%d", ((const dbr_short_t *)values)[at]); break;
    case DBR_FLOAT: print_number(((const dbr_float_t *)values)[at], 9); break;
    case DBR_ENUM: printf("%u", ((const dbr_enum_t *)values)[at]); break;
    case DBR_CHAR: printf("%u", ((const dbr_char_t *)values)[at]); break;
    case DBR_LONG: printf("%d", ((const dbr_long_t *)values)[at]); break;
    default: print_number(((const dbr_double_t *)values)[at], 17);
    }
}

static int fail(const char *name, int status)
{
    fprintf(stderr, "%s: %s\n", name, ca_message(status));
    return 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    double timeout_s = argc > 2 ? atof(argv[2]) : 1;
    if (argc < 2 || argc > 3 || timeout_s <= 0) {
        fprintf(stderr, "usage: get NAME [TIMEOUT_S]\n");
        return 2;
    }
    chid channel;
    int status = ca_context_create(ca_disable_preemptive_callback);
    if (status == ECA_NORMAL) status = ca_create_channel(name, NULL, NULL, CA_PRIORITY_DEFAULT, &channel);
    if (status == ECA_NORMAL) status = ca_pend_io(timeout_s);
    if (status != ECA_NORMAL) return fail(name, status);

    chtype type = ca_field_type(channel);
    unsigned long count = ca_element_count(channel);
    /* Value, severity and time of all types begin alike. */
    struct dbr_time_double *reading = malloc(dbr_size_n(dbf_type_to_DBR_TIME(type), count));
    if (reading == NULL) return fail(name, ECA_ALLOCMEM);
    status = ca_array_get(dbf_type_to_DBR_TIME(type), count, channel, reading);
    if (status == ECA_NORMAL) status = ca_pend_io(timeout_s);
    if (status != ECA_NORMAL) return fail(name, status);

    struct timespec processed;
    struct tm utc;
    char second[sizeof "1990-01-01T00:00:00"];
    epicsTimeToTimespec(&processed, &reading->stamp);
    strftime(second, sizeof second, "%Y-%m-%dT%H:%M:%S", gmtime_r(&processed.tv_sec, &utc));

    const void *values = dbr_value_ptr(reading, dbf_type_to_DBR_TIME(type));
    printf("{\"value\":%s", count > 1 ? "[" : "");
    for (unsigned long at = 0; at < count; at++) {
        if (at > 0) putchar(',');
        print_element(type, values, at);
    }
    printf("%s,\"severity\":\"%s\"", count > 1 ? "]" : "", SEVERITIES[reading->severity & 3]);
    printf(",\"time\":\"%s.%03ldZ\"}\n", second, processed.tv_nsec / 1000000);
    return fflush(stdout) == 0 ? 0 : fail(name, ECA_INTERNAL);
}
