// A version beside the current state of the bot, with marked differences: the definition as JSON,
// then the code.

import type { BotVersion } from '@botstead/contract'
import { json } from '@codemirror/lang-json'
import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useBot } from '../../api/scope.ts'
import { nonce } from '../../nonce.ts'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

export function VersionComparison({ version }: { version: BotVersion }) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['versions', botId, 'comparison', version.id],
    queryFn: async ({ signal }) => {
      const { url } = await client.admin.getBotVersion(
        { params: { id: botId, versionId: version.id } },
        { signal },
      )
      const [left, right] = await Promise.all([
        fetch(new URL(url).pathname + new URL(url).search, { signal }).then(toJson),
        client.admin.getBotJson({ params: { id: botId } }, { signal }),
      ])
      return { left: textOf(left), right: textOf(right) }
    },
    staleTime: 0,
  })
  return (
    <Loaded query={query}>
      {({ left, right }) =>
        left === right ? (
          <Text>{texts.versions.same}</Text>
        ) : (
          <>
            <Group grow mb="xs">
              <Text fw={600} className="foreign">
                {version.name}
              </Text>
              <Text fw={600}>{texts.versions.right}</Text>
            </Group>
            <SideBySide left={left} right={right} />
          </>
        )
      }
    </Loaded>
  )
}

/** Sorted keys, so that only values differ; the code last, because it is long. */
function textOf(document: object): string {
  const { code, ...rest } = document as { code?: string }
  const definition = JSON.stringify(sorted(rest), null, 2)
  return code === undefined ? definition : `${definition}\n\n${code}`
}

const toJson = (response: Response): Promise<object> => response.json()

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}

function SideBySide({ left, right }: { left: string; right: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const side = (doc: string, label: string) => ({
      doc,
      extensions: [
        EditorView.cspNonce.of(nonce),
        json(),
        EditorState.readOnly.of(true),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
      ],
    })
    const view = new MergeView({
      a: side(left, texts.versions.left),
      b: side(right, texts.versions.right),
      parent: place.current!,
      collapseUnchanged: { margin: 3 },
    })
    return () => view.destroy()
  }, [left, right])
  return <div ref={place} className="panel" style={{ maxHeight: '70vh', overflow: 'auto' }} />
}
