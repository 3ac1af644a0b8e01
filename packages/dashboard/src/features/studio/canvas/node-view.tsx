// A node on the canvas: its cards in order, and its ways out, each with a handle to drag to another node.
import { memo, type PointerEvent } from 'react'
import { texts } from '../../../texts/texts.ts'
import type { Exit, GraphNode, Row } from '../flows/flow-graph.ts'
import {
  cardHeight,
  exitHeight,
  headHeight,
  nodeHeight,
  nodeWidth,
} from '../flows/layout.ts'
import { nameAsFlow } from '../flows/names.ts'
import styles from './canvas.module.css'

const t = texts.studio

export interface NodeActions {
  onNodePointer: (event: PointerEvent, node: string) => void
  onExitPointer: (event: PointerEvent, node: string, exit: Exit) => void
  onOpenNode: (node: string) => void
  onOpenCard: (node: string, card: number) => void
  onOpenFlow: (flow: string) => void
  onFocus: (node: string) => void
}

interface NodeViewProps {
  node: GraphNode
  flow: string
  x: number
  y: number
  isSelected: boolean
  selectedCard: number | undefined
  /** Pointers of problems inside of the node, joined. */
  problems: string
  /** The cards that the conversation passed, between spaces, and `last`; undefined if it did not pass the node. */
  passed: string | undefined
  /** How many conversations passed and ended, in words; undefined if not shown. */
  counts: string | undefined
  /** No test visited it. */
  isUntested: boolean
  /** Without its cards, which would be too small. */
  isSmall: boolean
  pointer: string
  actions: NodeActions
}

export const NodeView = memo(function NodeView(props: NodeViewProps) {
  const {
    node,
    x,
    y,
    isSelected,
    problems,
    passed,
    counts,
    isUntested,
    isSmall,
    actions,
  } = props
  const { name, type, rows } = node
  const count = problems === '' ? 0 : problems.split('\n').length
  const cards = rows.filter(({ card }) => card !== undefined).length
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a canvas
    <div
      role="group"
      className={styles.node}
      aria-label={t.nodeLabel({
        name,
        type: t.nodeTypes[type] ?? type,
        cards,
        problems: count,
        isPassed: passed !== undefined,
        counts,
        isUntested,
      })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys, such as Enter and Delete
      tabIndex={0}
      data-node={name}
      data-type={type}
      data-selected={isSelected || undefined}
      data-faulty={count > 0 || undefined}
      data-untested={isUntested || undefined}
      data-passed={passed && (passed.includes(' last ') ? 'last' : 'before')}
      style={{ left: x, top: y, width: nodeWidth, height: nodeHeight(node) }}
      onPointerDown={(event) => actions.onNodePointer(event, name)}
      onDoubleClick={() => actions.onOpenNode(name)}
      onFocus={() => actions.onFocus(name)}
    >
      <div className={styles.head} style={{ height: headHeight }}>
        <span className={`${styles.name} foreign`}>{name}</span>
        <span className={styles.type}>{t.nodeTypes[type] ?? type}</span>
        {isUntested && (
          <span className={styles.untested} aria-hidden="true">
            {t.tests.noTest}
          </span>
        )}
        {count > 0 && (
          <span className={styles.fault} title={t.problems(count)} aria-hidden="true">
            !
          </span>
        )}
      </div>
      {!isSmall &&
        rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards have no other identity
          <RowView key={index} row={row} {...props} />
        ))}
      {counts && (
        <div className={styles.counts} aria-hidden="true">
          {counts}
        </div>
      )}
    </div>
  )
})

function RowView({
  row,
  node,
  flow,
  pointer,
  problems,
  passed,
  selectedCard,
  actions,
}: NodeViewProps & { row: Row }) {
  const { card, title, text, exits } = row
  const at = `${pointer}/cards/${card}`
  const isFaulty =
    card !== undefined &&
    problems.split('\n').some((each) => `${each}/`.startsWith(`${at}/`))
  return (
    <>
      {card !== undefined ? (
        <button
          type="button"
          tabIndex={-1}
          className={styles.card}
          style={{ height: cardHeight }}
          data-card={card}
          data-faulty={isFaulty || undefined}
          data-passed={passed?.includes(` ${card} `) || undefined}
          aria-pressed={selectedCard === card}
          onClick={() => actions.onOpenCard(node.name, card)}
        >
          <span className={styles.cardTitle}>{title}</span>
          <span className={`${styles.cardText} foreign`}>{text}</span>
        </button>
      ) : (
        title && (
          <div className={styles.card} style={{ height: cardHeight }}>
            <span className={styles.cardTitle}>{title}</span>
            <span className={`${styles.cardText} foreign`}>{text}</span>
          </div>
        )
      )}
      {exits.map((exit) => (
        <ExitView
          key={exit.pointer}
          exit={exit}
          node={node.name}
          flow={flow}
          actions={actions}
        />
      ))}
    </>
  )
}

interface ExitViewProps {
  exit: Exit
  node: string
  flow: string
  actions: NodeActions
}

function ExitView({ exit, node, flow, actions }: ExitViewProps) {
  const { label, target } = exit
  const isElsewhere = target !== undefined && target.flow !== flow
  return (
    <div className={styles.exit} style={{ height: exitHeight }}>
      <span className={`${styles.exitLabel} foreign`}>{label}</span>
      {isElsewhere && (
        <button
          type="button"
          tabIndex={-1}
          className={`${styles.elsewhere} foreign`}
          onClick={() => actions.onOpenFlow(target.flow)}
        >
          {nameAsFlow(target.flow)}
        </button>
      )}
      <span
        className={styles.port}
        data-free={target === undefined || undefined}
        title={t.dragHint}
        aria-hidden="true"
        onPointerDown={(event) => actions.onExitPointer(event, node, exit)}
      />
    </div>
  )
}
