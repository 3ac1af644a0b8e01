// The files of a bot by knowledge base and state: upload, follow the indexing, delete.
import type { File } from '@botstead/contract'
import { ActionIcon, Box, Button, Checkbox, Group, Menu, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { type DragEvent, useState } from 'react'
import { type Filters as Search, useFilter } from '../../api/filters.ts'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { IconDots, IconUpload } from '../../icons/icons.tsx'
import { ChoiceFilter, TextFilter } from '../../parts/forms/filter-fields.tsx'
import { Filters } from '../../parts/forms/filters.tsx'
import { lazily } from '../../parts/lazily.tsx'
import { FileLink } from '../../parts/objects/object-links.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { toSize } from '../../parts/texts/amounts.ts'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { BaseChoice } from './base-choice.tsx'
import { toName, toPath, useFileLists } from './bases.ts'
import { DeleteFile, isIndexable, useReindex } from './file-actions.tsx'
import { useFileCounts } from './file-counts.ts'
import { FileStatus, isFailed, statuses } from './file-status.tsx'
import { type ImportedFile, useImport } from './import.ts'
import { readDrop } from './imported-files.ts'
import { Meaning } from './meaning.tsx'
import { Samples } from './samples.tsx'

const t = texts.knowledge
const AddFiles = lazily(async () => (await import('./add-files.tsx')).AddFiles)
const ImportProgress = lazily(
  async () => (await import('./import-progress.tsx')).ImportProgress,
)

export function KnowledgePage() {
  const mayWrite = useMay()('knowledge.write')
  const isImporting = useImport(useBot().botId) !== undefined
  const [isAdding, setAdding] = useState(false)
  const [dropped, setDropped] = useState<Promise<ImportedFile[]> | null>(null)
  const drop = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setDropped(readDrop(event.dataTransfer))
    setAdding(true)
  }
  const close = () => {
    setAdding(false)
    setDropped(null)
  }
  return (
    <Box
      h="100%"
      {...(mayWrite && {
        onDragOver: (event: DragEvent) => event.preventDefault(),
        onDrop: drop,
      })}
    >
      <Page
        title={t.title}
        docs="files-and-knowledge"
        actions={<Actions onAdd={() => setAdding(true)} />}
        fills
      >
        <Filters names={['base', 'status', 'name', 'files']}>
          <BaseChoice />
          <ChoiceFilter
            name="status"
            label={t.status}
            choices={statuses.map((value) => ({ value, label: t.statuses[value] }))}
          />
          <TextFilter name="name" label={t.name} placeholder={t.nameHint} />
          <OtherFiles />
        </Filters>
        <Samples />
        {isImporting && <ImportProgress />}
        <Files onAdd={() => setAdding(true)} />
        {isAdding && <AddFiles dropped={dropped} onClose={close} />}
      </Page>
    </Box>
  )
}

/** Hidden by default: files of no knowledge base that are not searchable, as imports of tables. */
function OtherFiles() {
  const [files, setFiles] = useFilter('files')
  if (!useMay()('files.read')) return null
  return (
    <Checkbox
      label={t.otherFiles}
      checked={files === 'all'}
      onChange={({ currentTarget: { checked } }) => setFiles(checked ? 'all' : '')}
    />
  )
}

function Actions({ onAdd }: { onAdd: () => void }) {
  const mayWrite = useMay()('knowledge.write')
  if (!mayWrite) return null
  return (
    <Button leftSection={<IconUpload size={16} aria-hidden="true" />} onClick={onAdd}>
      {t.addFiles}
    </Button>
  )
}

function Files({ onAdd }: { onAdd: () => void }) {
  const { botId, client } = useBot()
  const { base, status, name, files }: Search = useSearch({ strict: false })
  useFileLists()
  const search = {
    ...(base && { knowledgeBaseId: base }),
    ...(statuses.includes(status as File['status']) && {
      status: status as File['status'],
    }),
    ...(name && { name }),
  }
  const isKnowledge = files !== 'all'
  const query = usePages(
    ['fileLists', botId, 'list', search, isKnowledge],
    (page, options) =>
      client.platform.searchFilesByName(
        { query: { ...search, isKnowledge, pageSize: 100, ...page } },
        options,
      ),
    { keepsFormer: true },
  )
  const columns = useColumns()
  const isFiltered = Boolean(search.status || name)
  return (
    <>
      <Counts base={base} isKnowledge={isKnowledge} />
      <Meaning base={base} isKnowledge={isKnowledge} />
      <RowList
        label={t.files}
        query={query}
        getRows={getFiles}
        getKey={({ id }) => id}
        columns={columns.all}
        empty={
          isFiltered ? (
            <Empty title={t.noMatch} hint={t.noMatchHint} />
          ) : (
            <NoFiles isBase={base !== undefined} onAdd={onAdd} />
          )
        }
      />
      {columns.dialog}
    </>
  )
}

const getFiles = ({ files }: { files: File[] }) => files

function NoFiles({ isBase, onAdd }: { isBase: boolean; onAdd: () => void }) {
  const mayWrite = useMay()('knowledge.write')
  const title = mayWrite ? t.empty : t.emptyTitleReader
  return (
    <div className={mayWrite ? 'drop-zone' : 'panel'}>
      <Empty
        title={isBase ? t.emptyBase : title}
        hint={mayWrite ? `${t.emptyHint} ${t.drop}` : t.emptyReader}
        action={mayWrite && <Button onClick={onAdd}>{t.addFiles}</Button>}
      />
    </div>
  )
}

/** The files of each state; the numbers are links to their lists. */
function Counts({
  base,
  isKnowledge,
}: {
  base: string | undefined
  isKnowledge: boolean
}) {
  const [, setStatus] = useFilter('status')
  const { data } = useFileCounts(isKnowledge, base)
  if (!data || data.counts.length === 0) return null
  const counts = statuses.flatMap((status) =>
    data.counts.filter((each) => each.status === status),
  )
  return (
    <Group gap="xs">
      {counts.map(({ status, count }) => (
        <Button
          key={status}
          size="compact-sm"
          variant="default"
          {...(isFailed(status) && { c: 'var(--bad)' })}
          onClick={() => setStatus(status)}
        >
          {t.counts(status, count)}
        </Button>
      ))}
    </Group>
  )
}

function useColumns() {
  const [removed, setRemoved] = useState<File | null>(null)
  const index = useReindex()
  const mayWrite = useMay()('knowledge.write')
  const actions: Column<File> = {
    title: t.actions,
    width: '64px',
    cell: (file) => (
      <FileMenu
        file={file}
        onIndex={() => index.mutate(file.id)}
        onDelete={() => setRemoved(file)}
      />
    ),
  }
  const dialog = removed && <DeleteFile file={removed} onClose={() => setRemoved(null)} />
  return { all: mayWrite ? [...columns, actions] : columns, dialog }
}

interface FileMenuProps {
  file: File
  onIndex: () => void
  onDelete: () => void
}

const FileMenu = ({ file, onIndex, onDelete }: FileMenuProps) => (
  <Menu position="bottom-end" withinPortal>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        size={34}
        aria-label={texts.common.labelled(t.actions, toName(file.key))}
        c="var(--mantine-color-text)"
      >
        <IconDots size={18} aria-hidden="true" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {isIndexable(file) && <Menu.Item onClick={onIndex}>{t.indexAgain}</Menu.Item>}
      <Menu.Item onClick={onDelete}>{t.delete}</Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

const columns: Column<File>[] = [
  {
    title: t.name,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: (file) => (
      <Text size="sm" className="one-line" title={toPath(file)} component="div">
        <FileLink id={file.id}>{toPath(file)}</FileLink>
      </Text>
    ),
  },
  {
    title: t.status,
    width: 'minmax(0, 2fr)',
    cell: (file) => <FileStatus file={file} />,
  },
  {
    title: t.size,
    width: '90px',
    wideOnly: true,
    cell: ({ size }) => <Text size="sm">{size === null ? '' : toSize(size)}</Text>,
  },
  {
    title: t.changed,
    width: '110px',
    wideOnly: true,
    cell: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
]
