// Parses the XML of Office documents.
import { Parser } from 'htmlparser2'
import { depthGuard } from '../blocks.ts'

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
export function readXml(xml: string, handlers: XmlHandlers): void {
  const parser = createXmlParser(handlers)
  parser.write(xml)
  parser.end()
}

/** Reads XML like `readXml`, piece by piece. */
export function createXmlParser({
  open,
  text,
  close,
}: XmlHandlers): Pick<Parser, 'write' | 'end'> {
  const depth = depthGuard()
  const prefixes = new Set(['r'])
  return new Parser(
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
}

export const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Adds the prefixes of relationships that the element declares to `prefixes`. */
function localAttributes(
  attributes: Record<string, string>,
  prefixes: Set<string>,
): Record<string, string> {
  const entries = Object.entries(attributes)
  for (const [name, value] of entries)
    if (name.startsWith('xmlns:') && value.endsWith('/relationships'))
      prefixes.add(localName(name))
  const named: [string, string][] = entries.flatMap(([name, value]) => {
    const [prefix = '', local] = name.split(':', 2)
    if (local === undefined) return []
    return [
      [local, value],
      ...(prefixes.has(prefix) ? [[`r:${local}`, value]] : []),
    ] as const
  }) as [string, string][]
  return Object.fromEntries([
    ...named,
    ...entries.filter(([name]) => !name.includes(':')),
  ])
}
