/** The form of a recording, in which its writer (`market/recorded`) and its reader (`tapes/forms`) agree. */

export const RECORDING_VERSION = 1;
/** The mark of a row that only changes the quote, in the column of the sides. */
export const NO_PRINT = 2;
