// One file: its document beside the passages that the server read from it.
import type { File, Passage } from '@botstead/contract'
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Fact } from '../../parts/objects/fact.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { toSize } from '../../parts/texts/amounts.ts'
import { LongText } from '../../parts/texts/long-text.tsx'
import { exactTime } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { toName, useBases } from './bases.ts'
import { DocumentPreview } from './document-preview.tsx'
import { DeleteFile, isIndexable, useReindex } from './file-actions.tsx'
import { FileStatus } from './file-status.tsx'
import { getPassages, usePassages } from './passages.ts'
import { WebLink } from './web-link.tsx'

const t = texts.knowledge

export function FilePage() {
  const { fileId = '' } = useParams({ strict: false })
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['files', botId, fileId],
    queryFn: ({ signal }) => client.files.getFile({ params: { id: fileId } }, { signal }),
    // The URL of the content expires after an hour.
    refetchInterval: 30 * 60_000,
  })
  const file = query.data?.file
  return (
    <Page
      title={file ? toName(file.key) : t.file.title}
      actions={file && <Actions file={file} />}
    >
      <Loaded query={query}>
        {({ file }) => (
          <SimpleGrid
            type="container"
            cols={{ base: 1, '720px': 2 }}
            style={{ alignItems: 'start' }}
          >
            <Stack miw={0}>
              <Facts file={file} />
              <Section title={t.file.document}>
                <DocumentPreview key={file.updatedAt} file={file} />
              </Section>
            </Stack>
            <Stack miw={0} h="min(80vh, 900px)">
              <Passages file={file} />
            </Stack>
          </SimpleGrid>
        )}
      </Loaded>
    </Page>
  )
}

function Actions({ file }: { file: File }) {
  const { workspaceId, botId } = useBot()
  const navigate = useNavigate()
  const mayWrite = useMay()('knowledge.write')
  const index = useReindex()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <Button variant="default" component="a" href={file.url} download={toName(file.key)}>
        {t.download}
      </Button>
      {mayWrite && isIndexable(file) && (
        <Button
          variant="default"
          loading={index.isPending}
          onClick={() => index.mutate(file.id)}
        >
          {t.indexAgain}
        </Button>
      )}
      {mayWrite && (
        <Button variant="default" c="var(--bad)" onClick={() => setDeleting(true)}>
          {t.delete}
        </Button>
      )}
      {isDeleting && (
        <DeleteFile
          file={file}
          onDeleted={() =>
            navigate({
              to: '/w/$workspaceId/bots/$botId/knowledge',
              params: { workspaceId, botId },
              replace: true,
            })
          }
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

function Facts({ file }: { file: File }) {
  const { data: bases } = useBases()
  const base = bases?.find(({ id }) => id === file.tags.kbId)
  return (
    <Section title={t.file.title}>
      <FileStatus file={file} />
      <Stack gap={4}>
        <Fact name={t.base}>{base?.name ?? t.noBase}</Fact>
        <Fact name={t.size}>{file.size === null ? t.noSize : toSize(file.size)}</Fact>
        <Fact name={t.added}>{exactTime(file.createdAt)}</Fact>
        <Fact name={t.changed}>{exactTime(file.updatedAt)}</Fact>
        {file.tags.url && (
          <Fact name={t.file.webPage}>
            <WebLink url={file.tags.url} />
          </Fact>
        )}
      </Stack>
    </Section>
  )
}

function Passages({ file }: { file: File }) {
  const query = usePassages(file)
  return (
    <RowList
      label={t.file.passages}
      query={query}
      getRows={getPassages}
      getKey={({ id }) => id}
      columns={columns}
      empty={
        <Section title={t.file.passages}>
          <Empty title={t.file.noPassages} hint={t.file.passageHints[file.status]} />
        </Section>
      }
    />
  )
}

const columns: Column<Passage>[] = [
  {
    title: t.file.passages,
    width: 'minmax(0, 1fr)',
    cell: ({ content, meta }) => (
      <Stack gap={4}>
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {[
              (meta.position ?? 0) + 1,
              meta.subtype && t.file.kinds[meta.subtype],
              meta.pageNumber && t.file.page(meta.pageNumber),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </Group>
        <LongText text={content} />
      </Stack>
    ),
  },
]
