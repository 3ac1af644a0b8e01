// Edits the filter of a table, by rules or as JSON. The server checks it before it is applied.
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { InputError } from '../../../parts/forms/input-error.ts'
import { JsonEditor } from '../../../parts/forms/json-editor.tsx'
import { Failed } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import type { GridColumn } from '../columns.ts'
import { countRows } from '../use-row-count.ts'
import {
  type Filter,
  type FilterGroup,
  newGroup,
  newRule,
  toFilter,
  toTree,
} from './filter-tree.ts'
import { GroupFields } from './group-fields.tsx'
import { filterColumns } from './operators.ts'

const t = texts.tableViews.filter

interface FilterDialogProps {
  tableId: string
  columns: GridColumn[]
  filter: Filter
  onApply: (filter: Filter) => void
  onClose: () => void
}

/** The rules, or the text of a filter that has none. */
type Draft = { tree: FilterGroup } | { json: string }

export function FilterDialog({
  tableId,
  columns,
  filter,
  onApply,
  onClose,
}: FilterDialogProps) {
  const { client } = useBot()
  const isPhone = useMediaQuery('(max-width: 640px)')
  const known = filterColumns(columns)
  const [draft, setDraft] = useState<Draft>(() => firstDraft(filter, known[0]!.name))
  const apply = useMutation({
    mutationFn: async () => {
      const next = filterOf(draft)
      await countRows(client, tableId, { filter: next })
      return next
    },
    onSuccess: (next) => {
      onApply(next)
      onClose()
    },
  })
  const change = (next: Draft) => {
    apply.reset()
    setDraft(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply.mutate()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.title}
      size="xl"
      fullScreen={isPhone ?? false}
    >
      <form onSubmit={submit}>
        <Stack>
          <ModeChoice draft={draft} onChange={change} />
          {'tree' in draft ? (
            <GroupFields
              group={draft.tree}
              columns={known}
              onChange={(tree) => change({ tree })}
            />
          ) : (
            <JsonEditor
              label={t.json}
              text={draft.json}
              onChange={(json) => change({ json })}
              maxHeight={360}
            />
          )}
          {apply.error && <Failed error={apply.error} />}
          <Group justify="space-between">
            <Button variant="default" onClick={() => change({ tree: newGroup('all') })}>
              {t.removeAll}
            </Button>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                {texts.common.cancel}
              </Button>
              <Button type="submit" loading={apply.isPending}>
                {t.apply}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function ModeChoice({
  draft,
  onChange,
}: {
  draft: Draft
  onChange: (draft: Draft) => void
}) {
  const tree = 'json' in draft ? treeOf(draft.json) : draft.tree
  const choose = (mode: string) => {
    if (mode === 'json') onChange({ json: JSON.stringify(filterOf(draft), null, 2) })
    else if (tree) onChange({ tree })
  }
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label={t.mode}
        data={[
          { value: 'rules', label: t.rules, disabled: !tree },
          { value: 'json', label: t.json },
        ]}
        value={'json' in draft ? 'json' : 'rules'}
        onChange={choose}
      />
      {!tree && (
        <Text size="sm" c="dimmed">
          {t.onlyJson}
        </Text>
      )}
    </Group>
  )
}

function firstDraft(filter: Filter, name: string): Draft {
  if (Object.keys(filter).length === 0)
    return { tree: newGroup('all', [newRule(name, 'eq', '')]) }
  const tree = toTree(filter)
  return tree ? { tree } : { json: JSON.stringify(filter, null, 2) }
}

function treeOf(text: string): FilterGroup | null {
  try {
    return toTree(filterOf({ json: text }))
  } catch {
    return null
  }
}

/** Throws InputError for a text that is no object. */
function filterOf(draft: Draft): Filter {
  if ('tree' in draft) return toFilter(draft.tree)
  if (draft.json.trim() === '') return {}
  try {
    const filter: unknown = JSON.parse(draft.json)
    if (typeof filter === 'object' && filter !== null && !Array.isArray(filter))
      return filter as Filter
  } catch {
    throw new InputError(t.notJson, texts.common.errors.invalidJson)
  }
  throw new InputError(t.notJson, t.notObject)
}
