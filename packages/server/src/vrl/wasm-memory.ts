// Gives the memory of a WebAssembly module a ceiling, where its author set none: past it, `memory.grow` fails inside, and the process outside
// has lost nothing. Inside means in this thread: resource limits of threads do not count such memory.

const memorySection = 5
/** https://webassembly.github.io/spec/core/binary: the module's first bytes are its name and version. */
const headerBytes = 8

export function withMemoryCeiling(module: Uint8Array, pages: number): Uint8Array {
  let at = headerBytes
  while (at < module.length) {
    const id = module[at]!
    const size = readNumber(module, at + 1)
    const end = size.next + size.value
    if (id === memorySection)
      return Buffer.concat([
        module.subarray(0, at),
        rewritten(module.subarray(size.next, end), pages),
        module.subarray(end),
      ])
    at = end
  }
  throw new Error('The module has no memory of its own')
}

function rewritten(section: Uint8Array, pages: number): Uint8Array {
  const flags = section[1]!
  if (section[0] !== 1 || flags > 1) throw new Error('The module has another kind of memory')
  const least = readNumber(section, 2).value
  const content = [1, 1, ...written(least), ...written(Math.max(least, pages))]
  return Uint8Array.from([memorySection, ...written(content.length), ...content])
}

/** LEB128, as all numbers there. */
function readNumber(bytes: Uint8Array, from: number): { value: number; next: number } {
  let value = 0
  for (let next = from, shift = 0; ; next++, shift += 7) {
    value += (bytes[next]! & 127) * 2 ** shift
    if (bytes[next]! < 128) return { value, next: next + 1 }
  }
}

const written = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...written(value >>> 7)]
