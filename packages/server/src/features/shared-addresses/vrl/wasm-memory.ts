// Adds a memory limit to a WebAssembly module that has none. Beyond it, `memory.grow` fails inside
// the module, without harm to the process. Resource limits of worker threads do not count this
// memory.

const memorySection = 5
/** Magic number and version (https://webassembly.github.io/spec/core/binary). */
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
  throw new Error('The module declares no memory')
}

function rewritten(section: Uint8Array, pages: number): Uint8Array {
  const flags = section[1]!
  if (section[0] !== 1 || flags > 1)
    throw new Error('The module declares an unsupported kind of memory')
  const min = readNumber(section, 2).value
  const content = [1, 1, ...written(min), ...written(Math.max(min, pages))]
  return Uint8Array.from([memorySection, ...written(content.length), ...content])
}

/** Reads a LEB128 number. */
function readNumber(bytes: Uint8Array, from: number): { value: number; next: number } {
  let value = 0
  for (let next = from, shift = 0; ; next++, shift += 7) {
    value += (bytes[next]! & 127) * 2 ** shift
    if (bytes[next]! < 128) return { value, next: next + 1 }
  }
}

const written = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...written(value >>> 7)]
