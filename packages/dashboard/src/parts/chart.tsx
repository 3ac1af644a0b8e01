// Bars over time. A column shows its values under the pointer; screen readers get a table.
import { Group, Text, Tooltip } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import styles from './chart.module.css'
import { toCount } from './texts/amounts.ts'
import { toTicks } from './ticks.ts'

interface Series {
  /** Of the number in a row. */
  name: string
  label: string
  color: string
}

interface BarsProps<Row> {
  data: Row[]
  /** Of the name in a row. */
  dataKey: keyof Row & string
  /** Are stacked. */
  series: (Series & { name: keyof Row })[]
  format?: (value: number) => string
  hasDecimals?: boolean
}

/** In pixels, of names below columns. */
const letterWidth = 7
const gap = 12

export function Bars<Row extends object>(props: BarsProps<Row>) {
  const { data, series, format = toCount } = props
  const { dataKey, hasDecimals = false } = props
  const columns = data.map((row) => ({
    name: String(row[dataKey]),
    values: series.map((one) => ({ ...one, value: Number(row[one.name]) })),
  }))
  const totals = columns.map(({ values }) =>
    values.reduce((sum, { value }) => sum + value, 0),
  )
  const ticks = toTicks(Math.max(...totals), { hasDecimals })
  const { ref, width } = useElementSize()
  // Of the columns, so that names do not overlap.
  const longest = Math.max(...columns.map(({ name }) => name.length))
  const every = Math.ceil(
    (columns.length * (longest * letterWidth + gap)) / Math.max(1, width),
  )
  return (
    <>
      <div aria-hidden="true">
        <div ref={ref} className={styles.plot}>
          <Axis ticks={ticks} format={format} />
          {columns.map((column, at) => (
            <Bar
              key={column.name}
              column={column}
              max={ticks.at(-1)!}
              format={format}
              isNamed={at % every === 0}
            />
          ))}
        </div>
        {series.length > 1 && <Legend series={series} />}
      </div>
      <Values columns={columns} format={format} />
    </>
  )
}

interface Column {
  name: string
  values: (Series & { value: number })[]
}
type Format = (value: number) => string

const Axis = ({ ticks, format }: { ticks: number[]; format: Format }) =>
  ticks.map((tick) => (
    <div
      key={tick}
      className={styles.tick}
      style={{ bottom: percent(tick / ticks.at(-1)!) }}
    >
      <span>{format(tick)}</span>
    </div>
  ))

interface BarProps {
  column: Column
  /** At the top of the plot. */
  max: number
  format: Format
  isNamed: boolean
}

function Bar({ column: { name, values }, max, format, isNamed }: BarProps) {
  const texts = values.map(({ label, value }) => `${label}: ${format(value)}`)
  return (
    <Tooltip
      label={[name, ...texts].join('\n')}
      styles={{ tooltip: { whiteSpace: 'pre-line' } }}
      events={{ hover: true, focus: false, touch: true }}
    >
      <div className={styles.column}>
        {values.map(
          ({ name, value, color }) =>
            value > 0 && (
              <div
                key={name}
                data-bar={name}
                className={styles.bar}
                style={{ height: percent(value / max), backgroundColor: color }}
              />
            ),
        )}
        {isNamed && <span className={styles.name}>{name}</span>}
      </div>
    </Tooltip>
  )
}

const Legend = ({ series }: { series: Series[] }) => (
  <Group justify="flex-end" gap="md">
    {series.map(({ name, label, color }) => (
      <Group key={name} gap={6}>
        <div className={styles.sample} style={{ backgroundColor: color }} />
        <Text size="sm">{label}</Text>
      </Group>
    ))}
  </Group>
)

const Values = ({ columns, format }: { columns: Column[]; format: Format }) => (
  <div className="unseen">
    <table>
      <thead>
        <tr>
          <td />
          {columns[0]?.values.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {columns.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((one) => (
              <td key={one.name}>{format(one.value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const percent = (part: number) => `${part * 100}%`
