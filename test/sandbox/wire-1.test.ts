import { tables } from './tables/index.ts'
import { checkWire } from './tables/wire.ts'

for (const table of tables.filter((_, at) => at % 2 === 0)) checkWire(table)
