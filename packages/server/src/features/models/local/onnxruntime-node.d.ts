// The library takes 290 MB and is optional. Its types are those of a small package, which the compiler needs.
declare module 'onnxruntime-node' {
  export * from 'onnxruntime-common'
}
