// The library of charts, in a separate file.
import '@mantine/charts/styles.layer.css'

export { BarChart } from '@mantine/charts'
