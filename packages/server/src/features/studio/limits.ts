/** Of the text of a draft, as the contract states. */
export const maxCharacters = 5_000_000
/** Of a computation; the largest documents take some seconds, on a busy machine several times as long. */
export const deadlineMs = 20_000
