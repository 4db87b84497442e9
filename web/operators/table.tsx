import type { ComponentChildren, JSX } from 'preact'

export interface Column<Row> {
  readonly label: string
  readonly cell: (row: Row) => ComponentChildren
  /** Right-aligned; empty for 0. */
  readonly number?: true
}

/** A table that becomes cards on narrow screens. Explicit roles survive the changed display. */
export function Table<Row>(props: {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}): JSX.Element {
  const { label, columns, rows } = props
  return (
    <table class="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.label} role="columnheader" scope="col" class={column.number && 'number'}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={index} role="row">
            {columns.map((column, place) => (
              <Cell key={column.label} column={column} row={row} first={place === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell<Row>(props: { readonly column: Column<Row>; readonly row: Row; readonly first: boolean }): JSX.Element {
  const { column, row, first } = props
  const content = column.cell(row)
  const empty = content === 0 || content === null || content === ''
  const classes = [column.number && 'number', empty && 'zero'].filter((name) => typeof name === 'string')
  return (
    <td role="cell" class={classes.join(' ') || undefined} data-label={first ? undefined : column.label}>
      {content === 0 ? <span class="hint">0</span> : content}
    </td>
  )
}
