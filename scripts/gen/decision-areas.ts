/**
 * The areas of decisions, with the numbers of those that are older than the index. Later ones say `Area: Market.` in
 * their head, so that nobody has to change this table.
 */
export const decisionAreas: Readonly<Record<string, readonly number[]>> = {
  Market: [6, 9, 14, 22, 27, 35, 65, 87, 123, 135, 143, 144],
  Money: [5, 36, 39, 42, 43, 64, 101, 118, 119],
  Access: [29, 30, 56, 57, 60, 61, 62, 82, 98, 99, 100, 113, 115, 154],
  Audit: [58, 88, 95],
  Events: [16, 38, 40, 109, 110, 124],
  API: [4, 11, 24, 48, 63, 77, 81, 96, 102, 103, 104, 125, 126, 136],
  Instances: [12, 55, 68, 73, 116, 137, 138],
  Hosts: [17, 18, 19, 20, 21, 33, 45, 66, 69, 71, 74, 75, 76, 79, 80, 83, 84, 86, 111, 121, 167],
  Console: [70, 128, 129, 132, 139, 140, 141, 142, 147, 148, 149, 150, 151, 152, 153],
  Clients: [41, 46, 49, 51, 52, 145, 146],
  Documentation: [53, 172, 174, 175],
  Database: [3, 8, 13, 15, 25, 26, 28, 31, 34, 105, 106, 107],
  Operation: [32, 37, 54, 155, 156, 157, 158, 159, 160, 161, 162, 163, 169, 170],
  Sandbox: [10],
  Tests: [23, 89, 90, 91, 92, 93, 165, 173],
  Source: [2, 94, 127, 130, 133],
}
