// The form beside a flow: of the selected card or step, otherwise of the flow itself.
import {
  ActionIcon,
  Button,
  CloseButton,
  Group,
  Menu,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { IconArrowLeft, IconDots, IconPlus } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import { useChecks } from '../checks/checks.tsx'
import { useStudio } from '../draft/use-draft.tsx'
import {
  type FlowNode,
  findFlow,
  listNodes,
  toNode,
  toObject,
} from '../flows/bot-document.ts'
import { renameNode } from '../flows/commands.ts'
import { useFlowEditor } from '../flows/flow-editor.tsx'
import { describeCard } from '../flows/flow-graph.ts'
import { toCardTitle } from '../flows/names.ts'
import { cardPointer, nodePointer } from '../flows/places.ts'
import { agent, cards, node as nodeSchema } from '../forms/bot-schema.ts'
import { SchemaForm } from '../forms/form.tsx'
import styles from '../studio.module.css'

const t = texts.studio

export function Panel() {
  const { flow, selection, select } = useFlowEditor()
  const { value } = useStudio()
  const panel = useRef<HTMLElement>(null)
  const [name] = selection.nodes
  const node =
    name === undefined ? undefined : toObject(findFlow(value, flow).nodes)[name]
  const key = `${name} ${selection.card}`
  const isOpen = selection.isOpen && node !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another card gets the focus, too
  useEffect(() => {
    if (isOpen) focusFirst(panel.current!)
  }, [isOpen, key])
  if (!isOpen || name === undefined) return null
  const close = () => {
    select({ ...selection, isOpen: false })
    const card = selection.card === undefined ? '' : ` [data-card="${selection.card}"]`
    document
      .querySelector<HTMLElement>(`[data-node="${CSS.escape(name)}"]${card}`)
      ?.focus()
  }
  const props = { name, node: toNode(node), close }
  return (
    <section
      ref={panel}
      className={styles.panel}
      aria-label={t.panel}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || isListOpen(event.target))
          return
        event.stopPropagation()
        close()
      }}
    >
      {selection.card === undefined ? (
        <NodePanel key={key} {...props} />
      ) : (
        <CardPanel key={key} {...props} card={selection.card} />
      )}
    </section>
  )
}

/** Escape closes a list of choices first. */
const isListOpen = (target: EventTarget) =>
  target instanceof Element &&
  target.closest('[aria-haspopup][aria-expanded=true]') !== null

/** The first text, so that typing continues there: lists of choices would open. */
const focusFirst = (panel: HTMLElement) =>
  (
    panel.querySelector<HTMLElement>('form textarea, form input:not([aria-haspopup])') ??
    panel.querySelector<HTMLElement>('button')
  )?.focus({ preventScroll: true })

interface PanelProps {
  name: string
  node: FlowNode
  close: () => void
}

function CardPanel({ name, node, card: index, close }: PanelProps & { card: number }) {
  const { flow, select, move, duplicate, remove } = useFlowEditor()
  const { isEditor } = useStudio()
  const card = node.cards[index]
  if (!card) return null
  const schema = cards[card.type] ?? {}
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Group gap={4} wrap="nowrap" miw={0}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.backTo(name)}
            onClick={() => select({ nodes: [name], isOpen: true })}
          >
            <IconArrowLeft size={18} aria-hidden="true" />
          </ActionIcon>
          <Title order={2} size="h5">
            {toCardTitle(card.type)}
          </Title>
        </Group>
        <Group gap={4} wrap="nowrap">
          {isEditor && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" aria-label={t.moreActions}>
                  <IconDots size={18} aria-hidden="true" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item disabled={index === 0} onClick={() => move(-1)}>
                  {t.up}
                </Menu.Item>
                <Menu.Item
                  disabled={index === node.cards.length - 1}
                  onClick={() => move(1)}
                >
                  {t.down}
                </Menu.Item>
                <Menu.Item onClick={duplicate}>{t.duplicate}</Menu.Item>
                <Menu.Item c="var(--bad)" onClick={remove}>
                  {texts.common.delete}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
          <CloseButton aria-label={texts.common.close} onClick={close} />
        </Group>
      </Group>
      <OtherProblems pointer={cardPointer(flow, name, index)} />
      <form onSubmit={(event) => event.preventDefault()}>
        <SchemaForm
          schema={schema}
          pointer={cardPointer(flow, name, index)}
          value={card}
          flow={flow}
        />
      </form>
    </Stack>
  )
}

/** Problems of the card or step as a whole, which no field shows. */
function OtherProblems({ pointer }: { pointer: string }) {
  const { problems } = useChecks()
  const own = problems.filter((problem) => problem.pointer === pointer)
  return own.map(({ message }) => (
    <Text key={message} size="sm" c="var(--bad)" className="foreign">
      {message}
    </Text>
  ))
}

function NodePanel({ name, node, close }: PanelProps) {
  const { flow, duplicate, remove } = useFlowEditor()
  const { edit, isEditor } = useStudio()
  const pointer = nodePointer(flow, name)
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h5" className="foreign">
          {t.step(name)}
        </Title>
        <CloseButton aria-label={texts.common.close} onClick={close} />
      </Group>
      <OtherProblems pointer={pointer} />
      <form onSubmit={(event) => event.preventDefault()}>
        <Stack gap="sm">
          <NodeName name={name} />
          <Select
            label={t.kind}
            data={Object.entries(t.nodeTypes).map(([value, label]) => ({ value, label }))}
            value={node.type || null}
            allowDeselect={false}
            disabled={!isEditor}
            onChange={(type) =>
              edit([{ op: 'set', pointer: `${pointer}/type`, value: type }])
            }
          />
          <SchemaForm
            key={node.type}
            schema={node.type === 'agent' ? agent : nodeSchema}
            pointer={pointer}
            value={node}
            flow={flow}
            without={['type', 'position']}
          />
        </Stack>
      </form>
      <CardList name={name} node={node} />
      {isEditor && (
        <Group>
          <Button variant="default" size="compact-sm" onClick={duplicate}>
            {t.duplicate}
          </Button>
          <Button variant="default" size="compact-sm" c="var(--bad)" onClick={remove}>
            {t.deleteStep}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const nameForm = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Renames on leaving the field, with all references. */
function NodeName({ name }: { name: string }) {
  const { flow, select } = useFlowEditor()
  const { value, edit, isEditor } = useStudio()
  const [typed, setTyped] = useState(name)
  const isTaken =
    typed !== name && listNodes(value, flow).some(([each]) => each === typed)
  const misnamed = nameForm.test(typed) ? undefined : t.nameForm
  const fault = isTaken ? t.nameTaken : misnamed
  const save = () => {
    if (fault || typed === name) return
    edit(renameNode(value, flow, name, typed))
    select({ nodes: [typed], isOpen: true })
  }
  return (
    <TextInput
      label={t.name}
      value={typed}
      error={fault}
      disabled={!isEditor}
      maxLength={64}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && save()}
    />
  )
}

function CardList({ name, node }: Omit<PanelProps, 'close'>) {
  const { select, openPalette } = useFlowEditor()
  const { isEditor } = useStudio()
  return (
    <Stack gap={4}>
      <Title order={3} size="h6">
        {t.cards}
      </Title>
      {node.cards.map((card, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: cards have no other identity
          key={index}
          type="button"
          className={styles.choice}
          onClick={() => select({ nodes: [name], card: index, isOpen: true })}
        >
          <Text size="xs" c="dimmed" component="span">
            {toCardTitle(card.type)}
          </Text>
          <Text size="sm" component="span" className="foreign one-line">
            {describeCard(card)}
          </Text>
        </button>
      ))}
      {isEditor && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => openPalette({ node: name })}
        >
          {t.addCard}
        </Button>
      )}
    </Stack>
  )
}
