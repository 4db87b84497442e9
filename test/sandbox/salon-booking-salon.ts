export interface Visit {
  visit: string
  guest: { guest: string; full_name: string }
  begin_local: string
  finish_local: string
  tz: string
  what: { menu_item: string; label: string }[]
  stylist: { stylist: string; full_name: string }
  state: { code: string; label: string }
  branch: string
  remark: string | null
  call_off_reason: string | null
}

export interface Rows<T> {
  total: number
  offset: number
  limit: number
  as_of: string
  rows: T[]
}

export interface Opening {
  begin_local: string
  finish_local: string
  tz: string
  stylist: { stylist: string; full_name: string }
  branch: string
}

/** A day from today on, as the app writes it. */
export const day = (from: number): string =>
  new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/')
