/** The folder inside that of the journal for files of rows, which have no name once they are open. */
export const ROWS_FOLDER = 'rows';
