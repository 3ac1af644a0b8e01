// Lists of words, for which the packages declare no types.
declare module '@zxcvbn-ts/language-*' {
  const words: string[]
  export default words
}
