// A group of rules and groups of the filter builder.
import { ActionIcon, Button, Group, Select, Stack } from '@mantine/core'
import { IconPlus, IconX } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import {
  type FilterGroup,
  type FilterNode,
  type Match,
  newGroup,
  newRule,
} from './filter-tree.ts'
import type { FilterColumn } from './operators.ts'
import { RuleFields } from './rule-fields.tsx'

const t = texts.tableViews.filter
const matches = ['all', 'any', 'notAll', 'none'] as const

interface GroupFieldsProps {
  group: FilterGroup
  columns: FilterColumn[]
  onChange: (group: FilterGroup) => void
  /** The outermost group has none. */
  onRemove?: () => void
}

export function GroupFields({ group, columns, onChange, onRemove }: GroupFieldsProps) {
  const setNodes = (of: FilterNode[]) => onChange({ ...group, of })
  const replace = (next: FilterNode) =>
    setNodes(group.of.map((one) => (one.key === next.key ? next : one)))
  const remove = (key: number) => setNodes(group.of.filter((one) => one.key !== key))
  const rule = () => newRule(columns[0]!.name, 'eq', '')
  return (
    <Stack gap="xs" role="group" aria-label={t.matches[group.match]}>
      <Group gap="xs">
        <Select
          aria-label={t.match}
          w={230}
          data={matches.map((value) => ({ value, label: t.matches[value] }))}
          value={group.match}
          allowDeselect={false}
          onChange={(match) => onChange({ ...group, match: match as Match })}
        />
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t.removeGroup}
            onClick={onRemove}
          >
            <IconX size={16} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
      <Stack gap="xs" pl="sm" style={{ borderInlineStart: '2px solid var(--soft)' }}>
        {group.of.map((node) =>
          node.kind === 'rule' ? (
            <RuleFields
              key={node.key}
              rule={node}
              columns={columns}
              onChange={replace}
              onRemove={() => remove(node.key)}
            />
          ) : (
            <GroupFields
              key={node.key}
              group={node}
              columns={columns}
              onChange={replace}
              onRemove={() => remove(node.key)}
            />
          ),
        )}
        <Group gap="xs">
          <AddButton onClick={() => setNodes([...group.of, rule()])}>
            {t.addRule}
          </AddButton>
          <AddButton onClick={() => setNodes([...group.of, newGroup('any', [rule()])])}>
            {t.addGroup}
          </AddButton>
        </Group>
      </Stack>
    </Stack>
  )
}

const AddButton = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <Button
    size="compact-sm"
    variant="default"
    leftSection={<IconPlus size={14} aria-hidden="true" />}
    onClick={onClick}
  >
    {children}
  </Button>
)
