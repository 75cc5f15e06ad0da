/** The version of the interface that this package describes. */
export const interfaceVersion = '0.1.0'
