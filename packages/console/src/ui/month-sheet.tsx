/** A month to choose a day from. Arrows walk days and weeks, Page Up and Page Down months. */
import { daySeconds } from '@bourse/text/time/units.ts'
import { dayOf, startOf, wallClock } from '@bourse/text/time/zones.ts'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import styles from './time-field.module.css'
import { monthSheet, monthsLater, onDay } from './time-field.rules.ts'
import { utcMonthText, utcWeekdayText } from './values.rules.ts'

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
const months: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 }

type MonthSheetProps = { at: number; zone: string; onChoose: (at: number) => void }

/** The month of a moment; choosing a day keeps the time. */
export function MonthSheet({ at, zone, onChoose }: MonthSheetProps) {
  const chosen = startOf(dayOf(wallClock(at, zone)))
  const [wall, setWall] = useState(chosen)
  const place = useRef<HTMLTableElement>(null)
  useEffect(() => {
    place.current?.querySelector<HTMLElement>(`[data-wall="${wall}"]`)?.focus()
  }, [wall])
  const walk = (event: KeyboardEvent) => {
    const [days, pages] = [steps[event.key], months[event.key]]
    if (days === undefined && pages === undefined) return
    event.preventDefault()
    setWall(days === undefined ? monthsLater(wall, pages ?? 0) : wall + days * daySeconds)
  }
  return (
    <>
      <div className={styles.month}>
        <Button kind="plain" aria-label="The month before" onClick={() => setWall(monthsLater(wall, -1))}>
          ←
        </Button>
        <b aria-live="polite">{utcMonthText(wall)}</b>
        <Button kind="plain" aria-label="The month after" onClick={() => setWall(monthsLater(wall, 1))}>
          →
        </Button>
      </div>
      <table ref={place} className={styles.days} aria-label={utcMonthText(wall)}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={walk}>
          {monthSheet(wall).map((week) => (
            <tr key={week[0]?.wall}>
              {week.map((day) => (
                <td key={day.wall}>
                  <button
                    type="button"
                    data-wall={day.wall}
                    data-outside={!day.is_inside}
                    tabIndex={day.wall === wall ? 0 : -1}
                    aria-label={utcWeekdayText(day.wall)}
                    aria-pressed={day.wall === chosen}
                    onClick={() => onChoose(onDay(at, day.wall, zone))}
                  >
                    {day.day}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
