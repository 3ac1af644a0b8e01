// The bundler replaces these imports by the bytes of the files.
declare module '*.pdf' {
  const bytes: Uint8Array
  export default bytes
}
declare module '*.png' {
  const bytes: Uint8Array
  export default bytes
}
declare module '*.wav' {
  const bytes: Uint8Array
  export default bytes
}
declare module '*.webm' {
  const bytes: Uint8Array
  export default bytes
}
