// Reads the parts of an Office document, a zip of XML files. fflate unpacks no more than the size
// that an entry declares.
import { unzipSync } from 'fflate'
import { Parser } from 'htmlparser2'
import { depthGuard, UnreadableFile } from './blocks.ts'

const maxBytes = 200 * 1_048_576
const maxParts = 5_000

export type ZipParts = Map<string, string>

/** Throws Unreadable. */
export function openParts(bytes: Uint8Array, wanted: RegExp): ZipParts {
  let total = 0
  let parts = 0
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!wanted.test(name)) return false
        total += originalSize
        parts += 1
        if (total > maxBytes || parts > maxParts)
          throw new UnreadableFile(
            `The document exceeds ${maxBytes} unpacked bytes or ${maxParts} parts`,
          )
        return true
      },
    })
    return new Map(
      Object.entries(files).map(([name, content]) => [name, new TextDecoder().decode(content)]),
    )
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile('The document is damaged, or protected by a password', {
      cause: error,
    })
  }
}

export interface XmlHandlers {
  open?: (name: string, attributes: Record<string, string>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/**
 * Reports elements and attributes without their namespace prefix. Of attributes `id` and `x:id` of one
 * element, `id` is the one without. Attributes in the namespace of relationships are reported as `r:id`,
 * too, whatever their prefix is. Does not expand entities that the document declares.
 */
export function readXml(xml: string, { open, text, close }: XmlHandlers): void {
  const depth = depthGuard()
  const prefixes = new Set(['r'])
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth.opened()
        open?.(localName(name), localAttributes(attributes, prefixes))
      },
      ontext: (data) => text?.(data),
      onclosetag(name) {
        depth.closed()
        close?.(localName(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(xml)
  parser.end()
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Adds the prefixes of relationships that the element declares to `prefixes`. */
function localAttributes(
  attributes: Record<string, string>,
  prefixes: Set<string>,
): Record<string, string> {
  const entries = Object.entries(attributes)
  for (const [name, value] of entries)
    if (name.startsWith('xmlns:') && value.endsWith('/relationships')) prefixes.add(localName(name))
  const named: [string, string][] = entries.flatMap(([name, value]) => {
    const [prefix = '', local] = name.split(':', 2)
    if (local === undefined) return []
    return [[local, value], ...(prefixes.has(prefix) ? [[`r:${local}`, value]] : [])] as const
  }) as [string, string][]
  return Object.fromEntries([...named, ...entries.filter(([name]) => !name.includes(':'))])
}

/** Returns the targets of a file such as `word/_rels/document.xml.rels`: paths in the zip by id. */
export function relationsOf(parts: ZipParts, folder: string, name: string): Map<string, string> {
  const targets = new Map<string, string>()
  readXml(parts.get(`${folder}/_rels/${name}.rels`) ?? '', {
    open: (tag, { Id, Target }) => {
      if (tag === 'Relationship' && Id && Target)
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `${folder}/${Target}`)
    },
  })
  return targets
}
