// The document of a file as far as the browser may show it: images and texts. Other types, such as
// PDF, need a viewer that the security policy forbids, and HTML would show its code. Instead, the page
// shows the text that the server read from them.

import type { File } from '@botstead/contract'
import { Image, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { MoreButton } from '../../parts/more-button.tsx'
import { Loaded } from '../../parts/states.tsx'
import { LongText } from '../../parts/texts/long-text.tsx'
import { texts } from '../../texts/texts.ts'
import { toName } from './bases.ts'
import { getPassages, usePassages } from './passages.ts'

const t = texts.knowledge.file

const isText = ({ contentType, key }: File) =>
  /^(text\/(?!html)|application\/(json|xml|yaml|javascript))/.test(contentType) ||
  /\.(md|txt|csv)$/i.test(key)

export function DocumentPreview({ file }: { file: File }) {
  if (file.size === null) return <Text size="sm">{t.passageHints.upload_pending}</Text>
  if (/^image\/(?!svg)/.test(file.contentType))
    return <Image src={file.url} alt={toName(file.key)} fit="contain" mah={600} />
  return isText(file) ? <TextPreview file={file} /> : <ReadText file={file} />
}

/** The server keeps the text of a document as its passages. */
function ReadText({ file }: { file: File }) {
  const query = usePassages(file)
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const text = pages.flatMap(getPassages).map(({ content }) => content)
        if (text.length === 0) return <Text size="sm">{t.noPreview}</Text>
        return (
          <>
            <Text size="sm" c="dimmed">
              {t.readText}
            </Text>
            <LongText text={text.join('\n\n')} />
            <MoreButton query={query} label={t.more} size="compact-xs" />
          </>
        )
      }}
    </Loaded>
  )
}

const maxBytes = 200_000

function TextPreview({ file }: { file: File }) {
  const { botId } = useBot()
  const query = useQuery({
    queryKey: ['fileContents', botId, file.id, file.updatedAt],
    queryFn: async ({ signal }) => {
      const headers: Record<string, string> =
        Number(file.size) > maxBytes ? { range: `bytes=0-${maxBytes - 1}` } : {}
      const response = await fetch(file.url, { headers, signal })
      if (!response.ok) throw new Error(t.noPreview)
      return response.text()
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Loaded query={query}>
      {(text) => (
        <>
          <LongText text={text} />
          {Number(file.size) > maxBytes && (
            <Text size="sm" c="dimmed">
              {t.beginning}
            </Text>
          )}
        </>
      )}
    </Loaded>
  )
}
