// The bundler puts the bytes of these files in the place of the import.
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
