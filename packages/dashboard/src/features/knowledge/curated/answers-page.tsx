// The curated answers of a bot: search, write, change, delete, import and export.
import type { CuratedAnswer } from '@botstead/contract'
import { ActionIcon, Anchor, Badge, Button, Group, Menu, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFilter } from '../../../api/filters.ts'
import { usePages } from '../../../api/pages.ts'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { IconDots, IconPlus } from '../../../icons/icons.tsx'
import { saveFile } from '../../../parts/files/save-file.ts'
import { Confirm } from '../../../parts/forms/confirm.tsx'
import { TextFilter } from '../../../parts/forms/filter-fields.tsx'
import { Filters } from '../../../parts/forms/filters.tsx'
import { lazily } from '../../../parts/lazily.tsx'
import { notifyDone, notifyFailed } from '../../../parts/notify.ts'
import { Page } from '../../../parts/page.tsx'
import { type Column, RowList } from '../../../parts/row-list.tsx'
import { Empty } from '../../../parts/states.tsx'
import { Moment } from '../../../parts/texts/moment.tsx'
import { texts } from '../../../texts/texts.ts'
import { useFileLists } from '../bases.ts'
import { AnswerForm } from './later-answer-form.ts'

const t = texts.curated
const ImportAnswers = lazily(
  async () => (await import('./import-answers.tsx')).ImportAnswers,
)

export function AnswersPage() {
  const may = useMay()
  const [edited, setEdited] = useState<CuratedAnswer | null>()
  return (
    <Page
      title={t.title}
      docs="files-and-knowledge"
      actions={<Actions onAdd={() => setEdited(null)} />}
      fills
    >
      <Text size="sm" c="dimmed">
        {t.hint}
      </Text>
      <Filters names={['search']}>
        <TextFilter name="search" label={t.search} placeholder={t.searchHint} />
      </Filters>
      <Answers mayWrite={may('knowledge.write')} onEdit={setEdited} />
      {edited !== undefined && (
        <AnswerForm answer={edited} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  )
}

function Actions({ onAdd }: { onAdd: () => void }) {
  const { client } = useBot()
  const may = useMay()
  const [isImporting, setImporting] = useState(false)
  const download = useMutation({
    mutationFn: () => client.platform.exportCuratedAnswers({}),
    onSuccess: ({ csv }) =>
      saveFile(t.file, new Blob(['\ufeff', csv], { type: 'text/csv' })),
    onError: notifyFailed,
  })
  return (
    <>
      {may('knowledge.read') && (
        <Button
          variant="default"
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {t.export}
        </Button>
      )}
      {may('knowledge.write') && (
        <Button variant="default" onClick={() => setImporting(true)}>
          {t.import}
        </Button>
      )}
      {may('answers.create') && (
        <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={onAdd}>
          {t.new}
        </Button>
      )}
      {isImporting && <ImportAnswers onClose={() => setImporting(false)} />}
    </>
  )
}

interface AnswersProps {
  mayWrite: boolean
  onEdit: (answer: CuratedAnswer | null) => void
}

function Answers({ mayWrite, onEdit }: AnswersProps) {
  const { botId, client } = useBot()
  const [search] = useFilter('search')
  const [removed, setRemoved] = useState<CuratedAnswer | null>(null)
  useFileLists()
  const query = usePages(
    ['fileLists', botId, 'curated', search],
    (page, options) =>
      client.platform.listCuratedAnswers(
        { query: { ...(search && { search }), pageSize: 100, ...page } },
        options,
      ),
    { keepsFormer: true },
  )
  const mayAdd = useMay()('answers.create')
  const add = mayAdd && <Button onClick={() => onEdit(null)}>{t.new}</Button>
  const hint = mayAdd ? t.emptyHint : t.emptyReader
  return (
    <>
      <RowList
        label={t.title}
        query={query}
        getRows={({ curatedAnswers }: { curatedAnswers: CuratedAnswer[] }) =>
          curatedAnswers
        }
        getKey={({ id }) => id}
        columns={toColumns(mayWrite, onEdit, setRemoved)}
        empty={
          search ? (
            <Empty title={t.noMatch} />
          ) : (
            <Empty title={t.empty} hint={hint} action={add} />
          )
        }
      />
      {removed && <DeleteAnswer answer={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

const toColumns = (
  mayWrite: boolean,
  onEdit: (answer: CuratedAnswer) => void,
  onDelete: (answer: CuratedAnswer) => void,
): Column<CuratedAnswer>[] => [
  {
    title: t.questions,
    width: 'minmax(0, 2fr)',
    fullLine: true,
    cell: (answer) => <Questions answer={answer} {...(mayWrite && { onEdit })} />,
  },
  {
    title: t.answer,
    width: 'minmax(0, 3fr)',
    cell: ({ text }) => (
      <Text size="sm" className="foreign" lineClamp={2}>
        {text}
      </Text>
    ),
  },
  {
    title: t.changed,
    width: '110px',
    wideOnly: true,
    cell: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
  ...(mayWrite
    ? [
        {
          title: texts.knowledge.actions,
          width: '64px',
          cell: (answer: CuratedAnswer) => (
            <AnswerMenu
              answer={answer}
              onEdit={() => onEdit(answer)}
              onDelete={() => onDelete(answer)}
            />
          ),
        },
      ]
    : []),
]

interface QuestionsProps {
  answer: CuratedAnswer
  onEdit?: (answer: CuratedAnswer) => void
}

function Questions({ answer, onEdit }: QuestionsProps) {
  const [first = '', ...others] = answer.questions
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        {onEdit ? (
          <Anchor
            component="button"
            size="sm"
            className="foreign one-line"
            title={first}
            onClick={() => onEdit(answer)}
          >
            {first}
          </Anchor>
        ) : (
          <Text size="sm" className="foreign one-line">
            {first}
          </Text>
        )}
        {!isUsed(answer) && <Badge variant="outline">{t.notNow}</Badge>}
      </Group>
      {others.length > 0 && (
        <Text size="xs" c="dimmed" className="foreign" title={others.join('\n')}>
          {t.moreQuestions(others.length)}
        </Text>
      )}
    </>
  )
}

function isUsed({ validFrom, validTo }: CuratedAnswer): boolean {
  const now = new Date().toISOString()
  return (
    (validFrom === undefined || validFrom <= now) &&
    (validTo === undefined || now < validTo)
  )
}

interface AnswerMenuProps {
  answer: CuratedAnswer
  onEdit: () => void
  onDelete: () => void
}

const AnswerMenu = ({ answer, onEdit, onDelete }: AnswerMenuProps) => (
  <Menu position="bottom-end" withinPortal>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        size={34}
        aria-label={texts.common.labelled(texts.knowledge.actions, answer.questions[0]!)}
        c="var(--mantine-color-text)"
      >
        <IconDots size={18} aria-hidden="true" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={onEdit}>{t.edit}</Menu.Item>
      <Menu.Item onClick={onDelete}>{t.delete}</Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

function DeleteAnswer({
  answer,
  onClose,
}: {
  answer: CuratedAnswer
  onClose: () => void
}) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return (
    <Confirm
      title={t.deleteOne(answer.questions[0] ?? '')}
      button={t.delete}
      onConfirm={async () => {
        await client.platform.deleteCuratedAnswer({ params: { id: answer.id } })
        notifyDone(t.deleted)
        await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
      }}
      onClose={onClose}
    >
      {t.deleteText}
    </Confirm>
  )
}
