const raised = new Map(
  [...'0123456789+-\u2212'].map((char, at) => [char, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻'][at]!]),
)

/** Writes a raised number so that it does not join the number before it: 10⁶. Other texts stay. */
export const toSuperscript = (text: string): string =>
  /^[+\-\u2212]?\d{1,9}$/.test(text) ? [...text].map((char) => raised.get(char)).join('') : text
