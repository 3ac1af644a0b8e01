// Moves and removes an element of a list.
import { ActionIcon, Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'

const t = texts.studio

interface OrderButtonsProps {
  name: string
  index: number
  count: number
  onMove: (to: number) => void
  onRemove: () => void
}

export const OrderButtons = ({
  name,
  index,
  count,
  onMove,
  onRemove,
}: OrderButtonsProps) => (
  <Group gap={4} justify="flex-end">
    <ActionIcon
      variant="subtle"
      color="gray"
      disabled={index === 0}
      aria-label={t.moveUp(name)}
      onClick={() => onMove(index - 1)}
    >
      <IconArrowUp size={16} aria-hidden="true" />
    </ActionIcon>
    <ActionIcon
      variant="subtle"
      color="gray"
      disabled={index === count - 1}
      aria-label={t.moveDown(name)}
      onClick={() => onMove(index + 1)}
    >
      <IconArrowDown size={16} aria-hidden="true" />
    </ActionIcon>
    <RemoveButton name={name} onClick={onRemove} />
  </Group>
)

export const RemoveButton = ({
  name,
  onClick,
}: {
  name: string
  onClick: () => void
}) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    aria-label={t.removeNamed(name)}
    onClick={onClick}
  >
    <IconTrash size={16} aria-hidden="true" />
  </ActionIcon>
)
