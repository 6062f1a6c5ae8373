#ifndef LEDGERD_CXLSXWRITER_H
#define LEDGERD_CXLSXWRITER_H

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <xlsxwriter.h>

// A workbook that holds one row in memory, and says of every file that it was made at the same moment (1980-01-01, as the
// members of its zip do), so that the same rows give the same bytes.
static inline lxw_workbook *ledgerd_xlsx_open(const char *file, char *folder) {
    lxw_workbook_options options = {0};
    options.constant_memory = 1;
    options.tmpdir = folder;
    lxw_workbook *workbook = workbook_new_opt(file, &options);
    lxw_doc_properties properties = {0};
    properties.created = 315532800;
    if (workbook) workbook_set_properties(workbook, &properties);
    return workbook;
}

// Whether the sheet's rows go to a file, one by one.
static inline int ledgerd_xlsx_holds_one_row(const lxw_worksheet *sheet) {
    return sheet->optimize && sheet->optimize_tmpfile != NULL;
}

// Whether a row could not be written: the library does not look.
static inline int ledgerd_xlsx_has_failed(const lxw_worksheet *sheet) {
    return ferror(sheet->optimize_tmpfile);
}

// Writes the last row. Returns the bytes of all rows, or -1 (errno).
static inline int64_t ledgerd_xlsx_end_rows(lxw_worksheet *sheet) {
    struct stat status;
    lxw_worksheet_write_single_row(sheet);
    if (fflush(sheet->optimize_tmpfile) != 0 || ferror(sheet->optimize_tmpfile)) return -1;
    if (fstat(fileno(sheet->optimize_tmpfile), &status) != 0) return -1;
    return status.st_size;
}

// Frees a workbook that is not closed. The library forgets the files of the rows.
static inline void ledgerd_xlsx_discard(lxw_workbook *workbook) {
    lxw_worksheet *sheet;
    STAILQ_FOREACH(sheet, workbook->worksheets, list_pointers) {
        if (sheet->optimize_tmpfile) fclose(sheet->optimize_tmpfile);
        sheet->optimize_tmpfile = NULL;
    }
    lxw_workbook_free(workbook);
}

#endif
