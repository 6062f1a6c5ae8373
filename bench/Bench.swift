import ArgumentParser

@main
struct Bench: AsyncParsableCommand {}
