import Format from 'typebox/format'

/** TypeBox's formats are laxer than the published schemas. Importing this file sets them. */
const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`
/** RFC 3339 without second 60, which `Date` does not support, and without RFC 9557 suffixes. */
const dateTime = new RegExp(`^(\\d{4}-\\d\\d-\\d\\d)[Tt]${clock}$`)
const time = new RegExp(`^${clock}$`)
/** A line break in quotes would end a mail header; RFC 5321 limits a local part to 64 octets. */
const unmailable = /\p{Cc}|^.{65,}@/u

const { IsDate, IsEmail } = Format

Format.Set('date-time', (value) => IsDate(dateTime.exec(value)?.[1] ?? ''))
Format.Set('time', (value) => time.test(value))
Format.Set('email', (value) => IsEmail(value) && !unmailable.test(value))
